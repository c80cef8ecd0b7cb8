package io.nightsweep.chat;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.report.Brief;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The message about a halt: the content that the procedure's TG-stop format requires, and three
 * buttons.
 */
final class StopMessage {
  private static final String PREFIX = "stop:";
  private static final int TOP = 3;

  private final SweepState s;
  private final String halt;
  private final Path artifacts;

  StopMessage(SweepState s, Composer.Occasion occasion) {
    this.s = s;
    this.halt = occasion.key().startsWith(PREFIX) ? occasion.key().substring(PREFIX.length()) : "";
    this.artifacts = occasion.artifacts();
  }

  Message compose(Notice.Stop notice) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(
        MessageLine.title("[nightsweep STOP] ")
            .code(s.cell().model())
            .plain(" ")
            .code(s.cell().parallelism())
            .bold(" sweep halted"));
    lines.add(MessageLine.title("Reason: ").plain(Sentences.of(notice.cause(), Phrases.EN)));
    Optional<Phase.Halted> halted = haltOf(s, halt);
    lines.add(nodes(halted));
    halted
        .flatMap(h -> Sentences.nodesBack(h, Phrases.EN))
        .ifPresent(back -> lines.add(MessageLine.of(back)));
    lines.add(MessageLine.title("Sweep state at stop:"));
    lines.add(MessageLine.of("- Nodelist: ").code(Hostlist.format(s.cell().nodes())));
    lines.addAll(leaders());
    List<String> pending = Brief.pending(s);
    lines.add(
        Composer.named(
            MessageLine.of(
                "- Pending profiles, cancelled by the stop: " + (pending.isEmpty() ? "none" : "")),
            pending));
    lines.add(artifacts());
    if (halted.isEmpty()) {
      lines.add(MessageLine.of("This is over: the sweep has gone on or ended since."));
      return Message.of(lines);
    }
    lines.add(MessageLine.of("Awaiting your decision before resuming."));
    return Message.of(lines).with(buttons());
  }

  /** The halt in the notice, while it lasts. */
  static Optional<Phase.Halted> haltOf(SweepState s, String seq) {
    return s.phase() instanceof Phase.Halted h && Long.toString(h.seq()).equals(seq)
        ? Optional.of(h)
        : Optional.empty();
  }

  private static MessageLine nodes(Optional<Phase.Halted> halted) {
    List<String> failing = halted.map(Phase.Halted::failingNodes).orElse(List.of());
    String tried = halted.map(h -> Sentences.tried(h.cause(), Phrases.EN)).orElse("");
    MessageLine line = MessageLine.title("Failing node(s): ");
    return (failing.isEmpty() ? line.plain("none named") : line.codes(failing))
        .plain("; recovery attempted: " + (tried.isEmpty() ? "none" : tried))
        .plain(
            "; outcome: " + (tried.isEmpty() ? "nothing that could be tried" : "it still fails"));
  }

  private List<MessageLine> leaders() {
    List<MessageLine> lines = new ArrayList<>();
    List<Brief.BriefRow> rows = Brief.leaderboard(s);
    lines.add(
        MessageLine.of(
            "- Profiles tested so far: "
                + Brief.tested(s).size()
                + (rows.isEmpty() ? "" : " (top %d below)".formatted(Math.min(TOP, rows.size())))));
    for (int i = 0; i < Math.min(TOP, rows.size()); i++) {
      Brief.BriefRow row = rows.get(i);
      lines.add(
          i == 0
              ? MessageLine.of("- Best so far: ")
                  .code(row.profile())
                  .plain(" @ %s (Δ %s vs ".formatted(row.mean(), row.gain()))
                  .code(Profile.BASELINE)
                  .plain(")")
              : MessageLine.of("- ")
                  .code(row.profile())
                  .plain(" @ %s (Δ %s)".formatted(row.mean(), row.gain())));
    }
    return lines;
  }

  private MessageLine artifacts() {
    List<AttemptState> attempts =
        s.attempts().sorted(Comparator.comparing(AttemptState::intendedAt)).toList();
    MessageLine line = MessageLine.title("Artifacts: ").code(artifacts.toString());
    if (attempts.isEmpty()) {
      return line.plain(", no job ran");
    }
    return line.plain(", ")
        .code(attempts.getFirst().id().toString())
        .plain(" through ")
        .code(attempts.getLast().id().toString())
        .plain(jobs(attempts));
  }

  private static String jobs(List<AttemptState> attempts) {
    List<String> jobs =
        attempts.stream().flatMap(a -> a.job().stream()).map(j -> j.value()).toList();
    return jobs.isEmpty() ? "" : " (jobs " + jobs.getFirst() + " to " + jobs.getLast() + ")";
  }

  private List<List<Message.Button>> buttons() {
    List<List<Message.Button>> rows = new ArrayList<>();
    rows.add(List.of(Press.of(Action.RESUME, s.sweep(), halt).labelled("Resume")));
    culprit(s)
        .ifPresent(
            profile ->
                rows.add(
                    List.of(
                        Press.of(Action.RESUME_WITHOUT, s.sweep(), halt)
                            .labelled("Resume without " + shorten(profile)))));
    rows.add(List.of(Press.of(Action.STOP_HALTED, s.sweep(), halt).labelled("Stop for good")));
    return rows;
  }

  /** The profile that caused the halt; empty where it is a baseline, or where a node caused it. */
  static Optional<String> culprit(SweepState s) {
    boolean isOverNodes =
        s.phase() instanceof Phase.Halted h && Sentences.nodesBack(h, Phrases.EN).isPresent();
    if (isOverNodes) {
      return Optional.empty();
    }
    return s.attempts()
        .filter(
            a -> a.remedy().flatMap(r -> r.ended()).filter(Remedy.Then.HALT::equals).isPresent())
        .max(Comparator.comparing(AttemptState::intendedAt))
        .map(a -> s.trialOf(a.id()).profile())
        .filter(profile -> !s.profile(profile).isBaseline());
  }

  private static String shorten(String profile) {
    return profile.length() <= 40 ? profile : profile.substring(0, 39) + "…";
  }
}
