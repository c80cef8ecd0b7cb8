package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.Backends;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A study's cases: identified, judged, projected and split into shards. A case that is in two
 * groups runs once.
 */
record Matrix(Study study, List<Shard> shards) {
  /** Projected share of a job's time limit: a projection may be too low by a factor of two. */
  private static final double SHARE_OF_LIMIT = 0.5;

  private record AskedCase(Study.Group group, Study.Layout layout, ObjectNode parameters) {}

  /**
   * Expands the study. Cases with one key form one shard, or several if their projected time
   * requires it.
   *
   * @throws IOException with the program's message, where a case has an unknown parameter or value
   */
  static Matrix of(Study study, Capabilities capabilities, EarlierTimes earlier)
      throws IOException, InterruptedException {
    List<AskedCase> asked = new ArrayList<>();
    for (Study.Group group : study.groups()) {
      for (Study.Layout layout : group.layouts()) {
        for (String backend : study.backends()) {
          for (ObjectNode parameters : combinations(group)) {
            parameters.put("kernel", group.kernel());
            parameters.put("backend", backend);
            parameters.put("ranks", layout.ranks());
            parameters.put("sampling", study.sampling().words());
            asked.add(new AskedCase(group, layout, parameters));
          }
        }
      }
    }
    List<Capabilities.CaseCapability> answers =
        capabilities.judge(asked.stream().map(AskedCase::parameters).toList());
    List<CaseProjection> projections =
        earlier.of(asked.stream().map(a -> a.layout().nodes()).toList(), answers);
    SequencedMap<ShardKey, SequencedMap<String, PlannedCase>> shards = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      AskedCase one = asked.get(i);
      Capabilities.CaseCapability answer = answers.get(i);
      Study.Group group = one.group();
      shards
          .computeIfAbsent(key(one.layout(), answer.identity()), k -> new LinkedHashMap<>())
          .merge(
              answer.caseId(),
              new PlannedCase(
                  answer.caseId(),
                  List.of(group.name()),
                  group.required(),
                  answer.identity(),
                  answer.refusal(),
                  projections.get(i)),
              (before, again) -> before.with(group.name(), group.required()));
    }
    return new Matrix(
        study,
        shards.entrySet().stream()
            .map(
                e ->
                    new Shard(
                        e.getKey(),
                        0,
                        List.copyOf(e.getValue().values()),
                        earlier.startSeconds(e.getKey())))
            .flatMap(whole -> split(study, whole).stream())
            .toList());
  }

  /** The expected time of all jobs, one after another. */
  double seconds() {
    return shards.stream().mapToDouble(s -> s.seconds(study)).sum();
  }

  /** How many operations run between two readings of the clock. */
  static int opsPerSample(ObjectNode identity) {
    return identity.path("opsPerSample").asInt(1);
  }

  /**
   * Splits in order; each part gets as many cases as fit into half of a job's limit. A case that is
   * longer gets a part of its own.
   */
  private static List<Shard> split(Study study, Shard whole) {
    double room = SHARE_OF_LIMIT * study.timeLimit().toSeconds();
    if (whole.seconds(study) <= room) {
      return List.of(whole);
    }
    List<Shard> parts = new ArrayList<>();
    List<PlannedCase> some = new ArrayList<>();
    for (PlannedCase one : whole.cases()) {
      some.add(one);
      if (some.size() > 1 && whole.holding(0, some).seconds(study) > room) {
        some.removeLast();
        parts.add(whole.holding(parts.size() + 1, some));
        some = new ArrayList<>(List.of(one));
      }
    }
    parts.add(whole.holding(parts.size() + 1, some));
    return parts;
  }

  int size() {
    return shards.stream().mapToInt(s -> s.cases().size()).sum();
  }

  long runnable() {
    return shards.stream().mapToLong(s -> s.runnable().size()).sum();
  }

  /** How many cases the rules refuse. */
  Map<CaseDisposition, Long> refused() {
    Map<CaseDisposition, Long> counts = new EnumMap<>(CaseDisposition.class);
    shards.stream()
        .flatMap(s -> s.cases().stream())
        .flatMap(c -> c.refusal().stream())
        .forEach(r -> counts.merge(r.disposition(), 1L, Long::sum));
    return counts;
  }

  private static ShardKey key(Study.Layout layout, ObjectNode identity) {
    String backend = identity.path("backend").asText();
    return new ShardKey(
        Backends.deviceKind(backend),
        backend,
        layout.nodes(),
        layout.ranks(),
        identity.path("mode").asText(identity.path("kernel").asText()));
  }

  private static List<ObjectNode> combinations(Study.Group group) {
    List<ObjectNode> all = new ArrayList<>();
    for (SequencedMap<String, ValueNode> variant : group.variants()) {
      ObjectNode first = BenchJson.MAPPER.createObjectNode();
      variant.forEach(first::set);
      List<ObjectNode> some = List.of(first);
      for (Map.Entry<String, List<ValueNode>> axis : group.axes().entrySet()) {
        List<ObjectNode> more = new ArrayList<>();
        for (ObjectNode one : some) {
          for (ValueNode value : axis.getValue()) {
            ObjectNode next = one.deepCopy();
            next.set(axis.getKey(), value);
            more.add(next);
          }
        }
        some = more;
      }
      all.addAll(some);
    }
    return all;
  }
}
