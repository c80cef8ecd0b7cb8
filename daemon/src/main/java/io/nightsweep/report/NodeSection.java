package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.NodeGate;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.NodeFault;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Results of the node checks, and what slowed a node down during a run. */
final class NodeSection {
  private final SweepState s;
  private final Phrases t;
  private final Markdown page;

  NodeSection(PageView v, Markdown page) {
    s = v.s();
    t = v.t();
    this.page = page;
  }

  /** Writes the section if the plan checks nodes or says why it does not. */
  void write() {
    List<String> unchecked =
        s.spec().plan().notApplicable().stream()
            .filter(n -> n.wave().equals(Wave.NODE_GATE))
            .map(n -> t.text("nodes.unchecked", escape(t.text(n.reason()))))
            .toList();
    if (unchecked.isEmpty() && s.nodeChecks().isEmpty() && s.strains().isEmpty()) {
      return;
    }
    page.heading(2, t.text("nodes.title"));
    unchecked.forEach(page::paragraph);
    checks();
    strains();
  }

  private void checks() {
    if (s.nodeChecks().isEmpty()) {
      return;
    }
    page.paragraph(t.text("nodes.text", percent(s.spec().policy().nodeOutlier())));
    List<String> header = new ArrayList<>(List.of(t.text("attempt"), t.text("nodes.node")));
    for (NodeMetric metric : NodeMetric.values()) {
      header.add(t.word("node-metric", metric));
    }
    header.add(t.text("nodes.found"));
    List<List<String>> rows = new ArrayList<>();
    for (Event.NodesChecked check : s.nodeChecks()) {
      List<NodeFault.Slow> outliers = NodeGate.outliers(s, check);
      check.nodes().forEach(node -> rows.add(row(check, node, outliers)));
    }
    page.table(header, rows);
  }

  private List<String> row(
      Event.NodesChecked check, NodeFigures node, List<NodeFault.Slow> outliers) {
    List<String> cells = new ArrayList<>(List.of(check.attempt().toString(), code(node.node())));
    for (NodeMetric metric : NodeMetric.values()) {
      Double value = node.figures().get(metric);
      cells.add(value == null ? "-" : Figures.plain(value));
    }
    String found =
        outliers.stream()
            .filter(o -> o.node().equals(node.node()))
            .map(this::outlier)
            .collect(Collectors.joining("; "));
    cells.add(found.isEmpty() ? t.text("outlier.none") : "**" + found + "**");
    return cells;
  }

  private String outlier(NodeFault.Slow o) {
    String what = t.word("node-metric", o.metric());
    return o.value().isEmpty()
        ? t.text("outlier.missing", what)
        : t.text(key("outlier.", o.against()), what, percent(o.loss()));
  }

  private void strains() {
    if (s.strains().isEmpty()) {
      return;
    }
    page.paragraph(t.text("nodes.strains"));
    page.table(
        List.of(t.text("attempt"), t.text("profile"), t.text("nodes.node"), t.text("nodes.found")),
        s.strains().stream().map(this::strained).toList());
  }

  private List<String> strained(Event.NodeStrained e) {
    Trial trial = s.trialOf(e.attempt());
    return List.of(
        e.attempt().toString(),
        code(trial.profile()),
        code(e.strain().node()),
        escape(strain(e.strain(), t)));
  }

  /** The strain with its node, as part of a sentence. */
  static String strain(NodeStrain strain, Phrases t) {
    return t.text(
        key("strain.", strain.kind()),
        strain.node(),
        figure(strain.kind(), strain.value()),
        figure(strain.kind(), strain.elsewhere()));
  }

  private static String figure(NodeStrain.Kind kind, double value) {
    return switch (kind) {
      case THROTTLED, STOLEN, SHORT_OF_MEMORY -> percent(value);
      case LOADED, OVERHEATED, LINK_ERRORS, RETRANSMITS, GPU_CLOCK, GPU_HEAT ->
          Figures.plain(value);
    };
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f", 100 * share);
  }

  private static String key(String prefix, Enum<?> word) {
    return prefix + LowerCase.of(word);
  }
}
