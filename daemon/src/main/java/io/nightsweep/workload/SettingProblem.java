package io.nightsweep.workload;

import java.util.Collection;
import java.util.List;

/** Something wrong with one setting of a sweep file. */
public sealed interface SettingProblem {
  /** The keys from the file's root to the setting. */
  List<String> path();

  /** Whether the key itself is wrong, and not its value. */
  boolean atKey();

  /**
   * A name that is not among the valid ones.
   *
   * @param what kind of name it is
   */
  record Unknown(
      List<String> path, boolean atKey, String what, String name, Collection<String> valid)
      implements SettingProblem {
    public Unknown {
      path = List.copyOf(path);
      valid = List.copyOf(valid);
    }
  }

  /**
   * A missing or invalid value.
   *
   * @param found what the file has, as a sentence's beginning
   * @param expected what it should have
   */
  record Unfit(List<String> path, boolean atKey, String found, String expected)
      implements SettingProblem {
    public Unfit {
      path = List.copyOf(path);
    }
  }
}
