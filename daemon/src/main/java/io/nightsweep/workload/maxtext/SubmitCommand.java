package io.nightsweep.workload.maxtext;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * One call of {@code submit.sh MODEL:exp_tag sbatch-args -- passthrough}.
 *
 * @param expTag puts the attempt's identity into the job's name
 * @param passthrough in its order; environment variables as {@code _env_NAME}
 */
record SubmitCommand(
    String model, String expTag, List<String> sbatch, SequencedMap<String, String> passthrough) {
  /** 255 bytes of a file name, minus those of {@code 1234567-} and {@code .log}. */
  static final int MOST_NAME_BYTES = 243;

  static final String ENV = "_env_";

  /** The job name that the launcher will form from it. */
  String jobName() {
    return "JAX-"
        + model
        + "-"
        + expTag
        + passthrough.entrySet().stream()
            .map(e -> "-" + e.getKey() + "_" + e.getValue().replace('=', '_'))
            .collect(Collectors.joining());
  }

  int jobNameBytes() {
    return jobName().getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Why an argument cannot go through the launcher, which makes a file name of all arguments and
   * splits lists of job names at commas.
   */
  static Optional<String> unfit(String key, String value) {
    if (!value.matches("[A-Za-z0-9_.,:+@%=\\-]*")) {
      return Optional.of(
          key + "=" + value + ": the launcher makes a file name of it, which cannot hold that");
    }
    return value.isEmpty()
        ? Optional.of(key + " is empty, which MaxText's settings do not take from a command line")
        : Optional.empty();
  }

  /** The arguments, without the program's name. */
  List<String> arguments() {
    List<String> words = new ArrayList<>(List.of(model + ":" + expTag));
    words.addAll(sbatch);
    words.add("--");
    for (Map.Entry<String, String> e : passthrough.entrySet()) {
      words.add(e.getKey() + "=" + e.getValue());
    }
    return words;
  }
}
