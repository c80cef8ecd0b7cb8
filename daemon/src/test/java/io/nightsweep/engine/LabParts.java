package io.nightsweep.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * Parts of a real night on the lab's Slurm. Its controller serves nobody else and needs no sparing:
 * a slow answer only means that the machine is busy.
 */
final class LabParts {
  static final LookPace PACE = new LookPace(Duration.ofMillis(500), Duration.ofMillis(500));

  private LabParts() {}

  /** The same parts except for the interval between looks at the cluster. */
  static Parts of(Parts real) {
    return (Parts)
        Proxy.newProxyInstance(
            Parts.class.getClassLoader(),
            new Class<?>[] {Parts.class},
            (proxy, method, args) -> {
              try {
                return method.getName().equals("pace") ? PACE : method.invoke(real, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
