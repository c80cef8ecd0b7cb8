package io.nightsweep.evidence;

import io.nightsweep.evidence.Collective.Pairing;
import io.nightsweep.evidence.HloReading.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds a module while its text is read. */
final class HloModuleBuilder {
  /**
   * Limits on the forms of collectives and names that are kept separately; a module has hundreds.
   */
  private static final int MOST_FORMS = 4096;

  private static final int MOST_NAMES = 1 << 16;

  private static final Set<String> COMPUTE =
      Set.of("fusion", "dot", "convolution", "custom-call", "while", "call", "sort", "scatter");

  private static final Set<String> CONTAINERS = Set.of("while", "call", "conditional");

  private final Map<Collective, Integer> forms = new LinkedHashMap<>();
  private final Map<Collective, String> firstNames = new HashMap<>();
  private final DeviceGroups groups;
  private final Map<String, Route> names = new HashMap<>();
  private final Set<String> containers = new HashSet<>();
  private final CallGraph calls = new CallGraph();

  /** Collectives in small computations that an {@code async-start} may call. */
  private final Map<String, HloInstruction> wrapped = new HashMap<>();

  private final Map<String, OpenCollective> open = new LinkedHashMap<>();
  private String computation = "";
  private boolean entrySeen;
  private int computeSeen;
  private int loops;

  /** A start without its done so far. */
  private record OpenCollective(
      CollectiveKind kind, HloInstruction instruction, int computeBefore) {}

  /**
   * @param nodes of the module's devices, 0 where unknown
   */
  HloModuleBuilder(String header, int nodes) {
    String rest = header.substring("HloModule ".length());
    groups = new DeviceGroups(of(rest, "num_partitions") * of(rest, "replica_count"), nodes);
  }

  static boolean isCompute(String opcode) {
    return COMPUTE.contains(opcode);
  }

  static boolean matters(String opcode) {
    return CONTAINERS.contains(opcode) || opcode.startsWith("async-") || kind(opcode).isPresent();
  }

  void openComputation(String header) {
    entrySeen |= header.startsWith("ENTRY ");
    String text = header.startsWith("ENTRY ") ? header.substring(6) : header;
    int end = 0;
    while (end < text.length() && " ({".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    computation = HloInstruction.bare(text.substring(0, end));
    if (header.startsWith("ENTRY ")) {
      calls.entry(computation);
    }
    open.clear();
    computeSeen = 0;
  }

  String openName() {
    return computation;
  }

  boolean hasEntry() {
    return entrySeen;
  }

  void compute() {
    computeSeen++;
  }

  void add(HloInstruction i) {
    String opcode = i.opcode();
    if (CONTAINERS.contains(opcode)) {
      container(i);
    } else if (opcode.endsWith("-done")) {
      done(i);
    } else if (opcode.equals("async-start")) {
      i.callee("calls")
          .ifPresent(
              callee -> {
                HloInstruction inner = wrapped.get(callee);
                if (inner != null) {
                  kind(inner.opcode()).ifPresent(k -> start(k, i));
                }
              });
    } else if (opcode.endsWith("-start")) {
      kind(opcode).ifPresent(k -> start(k, i));
    } else {
      kind(opcode)
          .ifPresent(
              k -> {
                name(i.name(), k, i);
                if (isPairedByDone(k)) {
                  open.put(i.name(), new OpenCollective(k, i, computeSeen));
                } else {
                  if (wrapped.size() < MOST_NAMES) {
                    wrapped.put(computation, i);
                  }
                  record(k, i, Pairing.NONE, 0);
                }
              });
    }
  }

  /**
   * Ends a computation. A collective with its start or done outside this computation crosses a loop
   * iteration: its other half belongs to the next or previous one.
   */
  void closeComputation() {
    open.values().forEach(s -> record(s.kind(), s.instruction(), Pairing.CROSS_ITERATION, 0));
    open.clear();
    computation = "";
  }

  HloReading build(Path file) {
    List<Collective> collectives = new ArrayList<>();
    forms.forEach(
        (form, count) -> {
          if (calls.isAsyncBody(form.computation())) {
            return;
          }
          CallGraph.CallReach reach = calls.reach(form.computation());
          collectives.add(
              new Collective(
                  form.kind(),
                  firstNames.getOrDefault(form, ""),
                  count,
                  form.computation(),
                  form.bytes(),
                  form.operands(),
                  form.groupSize(),
                  form.pairing(),
                  form.sync(),
                  form.pipelined(),
                  form.frontendAttributes(),
                  form.dependencies(),
                  form.overlapped(),
                  reach.inLoop(),
                  reach.runs()));
        });
    return new HloReading(file, collectives, loops, new Names(names, containers));
  }

  private void container(HloInstruction i) {
    if (containers.size() < MOST_NAMES) {
      containers.add(i.name());
    }
    if (i.opcode().equals("while")) {
      String body = i.callee("body").orElse("");
      OptionalLong trips =
          i.number("known_trip_count").map(OptionalLong::of).orElse(OptionalLong.empty());
      loops++;
      calls.loop(computation, body, trips);
      i.callee("condition").ifPresent(c -> calls.loop(computation, c, trips));
    } else {
      i.callee("to_apply").ifPresent(c -> calls.call(computation, c));
      i.callee("true_computation").ifPresent(c -> calls.call(computation, c));
      i.callee("false_computation").ifPresent(c -> calls.call(computation, c));
      i.names("branch_computations").forEach(c -> calls.call(computation, c));
      i.names("called_computations").forEach(c -> calls.call(computation, c));
    }
  }

  private void start(CollectiveKind kind, HloInstruction i) {
    name(i.name(), kind, i);
    i.callee("calls").ifPresent(calls::asyncBody);
    open.put(i.name(), new OpenCollective(kind, i, computeSeen));
  }

  private void done(HloInstruction i) {
    OpenCollective start = i.operands().isEmpty() ? null : open.remove(i.operands().getFirst());
    if (start == null) {
      kind(i.opcode()).ifPresent(k -> name(i.name(), k, i));
      return;
    }
    name(i.name(), start.kind(), start.instruction());
    record(
        start.kind(),
        start.instruction(),
        Pairing.SAME_ITERATION,
        computeSeen - start.computeBefore());
  }

  private void record(CollectiveKind kind, HloInstruction i, Pairing pairing, int overlapped) {
    HloShapes.Size size = HloShapes.size(result(kind, i));
    Collective form =
        new Collective(
            kind,
            "",
            1,
            computation,
            size.bytes(),
            size.leaves(),
            groupSize(i),
            pairing,
            i.configured("is_sync"),
            i.configured("is_pipelined"),
            withoutGroupIds(i),
            i.dependencies(),
            overlapped,
            false,
            OptionalLong.empty());
    if (forms.size() < MOST_FORMS || forms.containsKey(form)) {
      forms.merge(form, 1, Integer::sum);
      firstNames.putIfAbsent(form, i.name());
    }
  }

  private int groupSize(HloInstruction i) {
    int own = i.groupSize();
    return own > 0
        ? own
        : i.callee("calls")
            .flatMap(c -> Optional.ofNullable(wrapped.get(c)))
            .map(HloInstruction::groupSize)
            .orElse(0);
  }

  /** Removes group ids: they are all different and would keep equal collectives apart. */
  private static SortedMap<String, String> withoutGroupIds(HloInstruction i) {
    TreeMap<String, String> attributes = new TreeMap<>(i.frontendAttributes());
    attributes.computeIfPresent("_scheduling_group_id", (k, v) -> "*");
    return attributes;
  }

  /**
   * The type of the received data. Pairs have operand and result; only the start of an all-reduce
   * has the result's type alone.
   */
  private static String result(CollectiveKind kind, HloInstruction i) {
    boolean pair = i.opcode().endsWith("-start");
    boolean p2p = kind == CollectiveKind.SEND || kind == CollectiveKind.RECV;
    if (!i.type().startsWith("(") || (!pair && !p2p)) {
      return i.type();
    }
    if (pair && kind == CollectiveKind.ALL_REDUCE && i.opcode().equals("all-reduce-start")) {
      return i.type();
    }
    List<String> elements = HloShapes.elements(i.type());
    return p2p || elements.size() < 2 ? elements.getFirst() : elements.get(1);
  }

  private static boolean isPairedByDone(CollectiveKind kind) {
    return kind == CollectiveKind.SEND || kind == CollectiveKind.RECV;
  }

  private void name(String name, CollectiveKind kind, HloInstruction i) {
    if (names.size() < MOST_NAMES) {
      HloInstruction told =
          i.callee("calls").flatMap(c -> Optional.ofNullable(wrapped.get(c))).orElse(i);
      names.put(name, new Route(kind, groups.of(told)));
    }
  }

  /** One of the header's counts, which is omitted where it is 1. */
  private static int of(String header, String count) {
    Matcher m = Pattern.compile(", " + count + "=(\\d{1,6})\\b").matcher(header);
    return m.find() ? Integer.parseInt(m.group(1)) : 1;
  }

  private static Optional<CollectiveKind> kind(String opcode) {
    String base = opcode;
    for (String suffix : new String[] {"-start", "-done"}) {
      if (base.endsWith(suffix)) {
        base = base.substring(0, base.length() - suffix.length());
      }
    }
    return CollectiveKind.ofOpcode(base);
  }
}
