package io.nightsweep.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * Parts of a real night whose Slurm is the lab's: its controller serves nobody else, and a slow
 * answer tells of a busy machine alone, so that it need not be spared.
 */
final class LabParts {
  static final LookPace PACE = new LookPace(Duration.ofMillis(500), Duration.ofMillis(500));

  private LabParts() {}

  /** The same parts, but for how often the cluster is looked at. */
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
