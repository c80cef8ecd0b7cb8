package io.nightsweep.advisor;

import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proposes candidates that the plan did not name. It uses only the sweep's catalogs and invents no
 * settings. Entries whose mechanism the evidence shows come first; the rest follow by the effect
 * that the catalog expects on the cell's axes.
 */
public final class Advisor {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,15}");

  /** The workload's setting for its message sizes. */
  private static final String SIZES = "sizes";

  private final SweepState state;
  private final Leaderboard board;
  private final Set<String> hashes = new HashSet<>();
  private final List<AdvisedProfile> proposals = new ArrayList<>();

  private Advisor(SweepState state, Leaderboard board) {
    this.state = state;
    this.board = board;
    state.profiles().values().forEach(p -> hashes.add(p.hash()));
  }

  /** At most {@code most} profiles that the sweep does not have yet, the most promising first. */
  public static List<AdvisedProfile> next(SweepState state, Leaderboard board, int most) {
    if (state.spec().catalogs().isEmpty() || most <= 0) {
      return List.of();
    }
    Advisor advisor = new Advisor(state, board);
    List<Catalog.CatalogEntry> entries = advisor.relevant();
    entries.forEach(advisor::refine);
    entries.forEach(advisor::bracket);
    entries.forEach(advisor::untried);
    return List.copyOf(advisor.proposals.subList(0, Math.min(most, advisor.proposals.size())));
  }

  private List<Catalog.CatalogEntry> relevant() {
    return state.spec().catalogs().stream()
        .flatMap(c -> c.entries().stream())
        .filter(e -> e.isRelevantTo(state.spec().settings()))
        .filter(e -> axes().stream().anyMatch(a -> e.on(a).isPresent()))
        .sorted(
            Comparator.comparing((Catalog.CatalogEntry e) -> !isFound(e)).thenComparing(this::sign))
        .toList();
  }

  private void refine(Catalog.CatalogEntry entry) {
    Knob.of(entry).ifPresent(knob -> add(knob, thresholds(knob).refine()));
  }

  private void bracket(Catalog.CatalogEntry entry) {
    if (sign(entry) == Catalog.Sign.NEGATIVE && !isFound(entry)) {
      return;
    }
    Knob.of(entry)
        .ifPresent(knob -> sizes(entry).forEach(size -> add(knob, thresholds(knob).bracket(size))));
  }

  /**
   * Proposes candidates that a wave's limit left out, if the evidence or the catalog supports them.
   */
  private void untried(Catalog.CatalogEntry entry) {
    boolean found = isFound(entry);
    if (!found && sign(entry) != Catalog.Sign.POSITIVE) {
      return;
    }
    Statement because =
        found
            ? Statement.phrase("because-mechanism", String.join(", ", entry.mechanisms()))
            : Statement.phrase("because-catalog");
    add(entry.candidates().stream().map(p -> new AdvisedProfile(p, because)).toList());
  }

  private void add(Knob knob, List<AdvisedProfile> more) {
    add(more.stream().filter(proposal -> knob.offers(proposal.profile())).toList());
  }

  private void add(List<AdvisedProfile> more) {
    for (AdvisedProfile proposal : more) {
      Profile profile = proposal.profile();
      if (!state.profiles().containsKey(profile.name()) && hashes.add(profile.hash())) {
        proposals.add(proposal);
      }
    }
  }

  private Thresholds thresholds(Knob knob) {
    Map<String, Double> gains = new HashMap<>();
    for (Standing standing : board.standings()) {
      gains.put(standing.profile(), standing.posteriorLogGain());
    }
    // A profile that left the sweep before it was measured will never have a result: do not wait
    // for one.
    state.dropped().keySet().forEach(p -> gains.putIfAbsent(p, Double.NEGATIVE_INFINITY));
    double promising = Math.log1p(state.spec().policy().worthwhileGain()) / 2;
    return new Thresholds(knob, state.profiles().values(), gains, promising);
  }

  /**
   * Message sizes in bytes that really occur: those set for the workload, and those of the
   * collectives in the evidence that the entry acts on.
   */
  private Set<Long> sizes(Catalog.CatalogEntry entry) {
    Set<Long> sizes = new TreeSet<>();
    Stream.of(state.spec().settings(), state.spec().primaryTag().overrides())
        .flatMap(settings -> Stream.ofNullable(settings.get(SIZES)))
        .map(String::strip)
        .filter(text -> NUMBER.matcher(text).matches())
        .map(Long::valueOf)
        .reduce((general, ofTheTag) -> ofTheTag)
        .ifPresent(sizes::add);
    state.findings().stream()
        .filter(finding -> finding.is(Finding.THRESHOLD))
        .flatMap(
            finding ->
                entry.mechanisms().stream()
                    .flatMap(m -> Stream.ofNullable(finding.figures().get(m))))
        .forEach(bytes -> sizes.add(bytes.longValue()));
    sizes.removeIf(size -> size < 2);
    return sizes;
  }

  private boolean isFound(Catalog.CatalogEntry entry) {
    return state.findings().stream()
        .filter(finding -> finding.is(Finding.MECHANISMS))
        .anyMatch(seen -> entry.mechanisms().stream().anyMatch(seen::shows));
  }

  private Catalog.Sign sign(Catalog.CatalogEntry entry) {
    return axes().stream()
        .flatMap(axis -> entry.on(axis).stream())
        .map(Catalog.Expectation::sign)
        .findFirst()
        .orElse(Catalog.Sign.UNKNOWN);
  }

  /** The axes of the cell's parallelism, such as {@code FSDP} of {@code FSDP=8}. */
  private List<String> axes() {
    return Stream.concat(
            Pattern.compile("[\\s,x*]+")
                .splitAsStream(state.cell().parallelism())
                .map(axis -> axis.replaceFirst("=.*", ""))
                .filter(axis -> !axis.isEmpty()),
            Stream.of(Catalog.ANY_AXIS))
        .toList();
  }
}
