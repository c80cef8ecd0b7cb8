package io.nightsweep.plan;

import io.nightsweep.workload.Workloads;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A condition on the cell, evaluated when a plan is expanded. */
record Condition(String text, Test test) {
  private static final Pattern FORM =
      Pattern.compile(
          "parallelism (has|lacks) (\\w+)|(config tags|axes) > (\\d{1,3})|workload is (\\w+)");
  private static final List<String> EXAMPLES =
      Stream.concat(
              Stream.of(
                  "parallelism has PP", "parallelism lacks PP", "axes > 1", "config tags > 1"),
              Workloads.names().stream().map(kind -> "workload is " + kind))
          .toList();

  /** The facts that conditions can test. */
  record ConditionFacts(Parallelism parallelism, int configTags, String workload) {}

  interface Test {
    boolean holds(ConditionFacts cell);
  }

  static Optional<Condition> parse(Yaml.Scalar scalar, Problems problems) {
    Matcher m = FORM.matcher(scalar.text().strip());
    if (!m.matches()) {
      problems.add(Problem.unknown(scalar.place(), "condition", scalar.text(), EXAMPLES));
      return Optional.empty();
    }
    return Optional.of(new Condition(scalar.text().strip(), test(m)));
  }

  private static Test test(Matcher m) {
    if (m.group(1) != null) {
      boolean wanted = m.group(1).equals("has");
      String axis = m.group(2);
      return cell -> cell.parallelism().has(axis) == wanted;
    }
    if (m.group(3) != null) {
      int limit = Integer.parseInt(m.group(4));
      return m.group(3).equals("axes")
          ? cell -> cell.parallelism().axes().size() > limit
          : cell -> cell.configTags() > limit;
    }
    String kind = m.group(5);
    return cell -> cell.workload().equals(kind);
  }
}
