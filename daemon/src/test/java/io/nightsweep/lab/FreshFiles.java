package io.nightsweep.lab;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the lab's shared files aside before a class runs again, so that failed tests do not meet the
 * checkouts and sweeps of their first run. Brings back nodes that an earlier class left drained.
 */
public final class FreshFiles implements BeforeAllCallback {
  private static final Set<String> STARTED = ConcurrentHashMap.newKeySet();

  @Override
  public void beforeAll(ExtensionContext context) {
    boolean isNested = context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    if (!isNested) {
      SlurmLab.bringBackNodes();
    }
    if (!isNested && !STARTED.add(context.getRequiredTestClass().getName())) {
      SlurmLab.setFilesAside();
    }
  }
}
