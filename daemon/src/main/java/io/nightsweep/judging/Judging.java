package io.nightsweep.judging;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Measurement.MeasuredStep;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** What an ended attempt counts as, by all that was observed of it. */
public final class Judging {
  private static final Diagnosis DISK_FULL =
      new Diagnosis(
          KnownClasses.DISK_FULL, 0.9, List.of(), Statement.phrase("attestation-lost"), List.of());

  /** What a playbook believes less than this gives way to what the workload itself read. */
  private static final double GUESS = 0.5;

  private static final Set<String> NO_CAUSE =
      Set.of(KnownClasses.UNCLASSIFIED, KnownClasses.SUCCESS, KnownClasses.SOFT_SUCCESS);

  private Judging() {}

  /**
   * What is known of an attempt once its log is read to the end.
   *
   * @param contradiction how the job's software differs from what the sweep began with
   * @param isClaimLost whether nothing became of the job's first words, as on a disk without room
   * @param diagnosis what its log and its end mean if it failed; one of a job that was given up
   *     already names the cause that the log tells, and the silence only where it tells none
   */
  public record Observed(
      Trial.Purpose purpose,
      JobEnd end,
      Workload.WorkloadReading reading,
      Optional<Statement> contradiction,
      boolean isClaimLost,
      Diagnosis diagnosis) {

    /** Why what ran is not what was scheduled. */
    public Optional<Statement> difference() {
      return reading.effective() instanceof Workload.Effective.Different d
          ? Optional.of(d.found())
          : contradiction;
    }

    private boolean isAttested() {
      return reading.effective() instanceof Workload.Effective.AsScheduled;
    }

    /**
     * Whether lines of the log were lost rather than never printed: the first words are gone with
     * the first steps, or the log says that its disk was full.
     */
    private boolean isLogCut(Measurement measured) {
      return isClaimLost
          || diagnosis.failureClass().equals(KnownClasses.DISK_FULL)
          || measured.steps().stream().mapToInt(MeasuredStep::index).min().orElse(0) > 1;
    }

    /** A job that no source knows any more is judged by what its own output says of its end. */
    private boolean isEndedWell() {
      return switch (end.state()) {
        case COMPLETED -> end.exitCode() == 0;
        case VANISHED -> reading.exitCode().equals(OptionalInt.of(0));
        case FAILED,
            CANCELLED,
            TIME_LIMIT,
            OUT_OF_MEMORY,
            NODE_FAIL,
            PREEMPTED,
            REQUEUED,
            NEVER_STARTED,
            DUPLICATE ->
            false;
      };
    }
  }

  /** The first rule that applies, from the top, decides. */
  public static Judgement judge(Observed o) {
    Optional<Statement> difference = o.difference();
    if (difference.isPresent()) {
      return new Judgement.Voided(
          o.isEndedWell()
              ? difference.get()
              : Statement.phrase(
                  "void-and-failed",
                  difference.get(),
                  Statement.row(
                      ": ",
                      Statement.words(o.diagnosis().failureClass()),
                      o.diagnosis().detail())));
    }
    Optional<Measurement> measured = o.reading().measurement();
    if (measured.isEmpty() && o.isEndedWell() && !o.purpose().measures()) {
      return new Judgement.Done(Statement.phrase("because-exit-zero"));
    }
    // A loss that is no number is a failure whatever the exit code and the speed; a training that
    // ends itself for it may say so nowhere but in its figures.
    Optional<Diagnosis> diverged = diverged(o.diagnosis(), o.reading().divergedAt());
    if (diverged.isPresent() || measured.isEmpty()) {
      return new Judgement.Failed(diverged.orElse(o.diagnosis()));
    }
    if (o.isEndedWell()) {
      if (o.isAttested()) {
        return new Judgement.Measured(measured.get());
      }
      return o.isLogCut(measured.get())
          ? new Judgement.Failed(DISK_FULL)
          : new Judgement.Voided(Statement.phrase("not-attested"));
    }
    return o.diagnosis().failureClass().equals(KnownClasses.SOFT_SUCCESS) && o.isAttested()
        ? new Judgement.Measured(measured.get())
        : new Judgement.Failed(o.diagnosis());
  }

  /**
   * Whether the diagnosis of a run that shows no measurement does not say why: one that ended well
   * and prints no figure, or NaN for it, is no success, and its workload knows what is missing.
   */
  public static boolean tellsNoCause(Diagnosis diagnosis) {
    return NO_CAUSE.contains(diagnosis.failureClass()) || diagnosis.confidence() < GUESS;
  }

  /**
   * Judges by the log where a class of the playbook knows its words, otherwise by the losses of the
   * steps.
   */
  private static Optional<Diagnosis> diverged(Diagnosis told, OptionalInt step) {
    return told.failureClass().equals(KnownClasses.NAN_LOSS)
        ? Optional.of(told)
        : step.stream()
            .mapToObj(
                from ->
                    new Diagnosis(
                        KnownClasses.NAN_LOSS,
                        1,
                        List.of(),
                        Statement.phrase("loss-nan-from", from),
                        List.of()))
            .findFirst();
  }

  /**
   * Whether the cluster ended a job for want of a node and the diagnosis names no pinned one: the
   * cluster must then be asked which nodes cannot be used.
   */
  public static boolean lacksItsNodes(JobEnd end, Judgement judgement, List<String> pinned) {
    boolean isOfNodes =
        switch (end.state()) {
          case NODE_FAIL, NEVER_STARTED, VANISHED -> true;
          case COMPLETED,
              FAILED,
              CANCELLED,
              TIME_LIMIT,
              OUT_OF_MEMORY,
              PREEMPTED,
              REQUEUED,
              DUPLICATE ->
              false;
        };
    return isOfNodes
        && judgement instanceof Judgement.Failed f
        && f.diagnosis().subjects().stream().noneMatch(pinned::contains);
  }

  /** The failure, with the nodes that cannot be used among what a remedy acts on. */
  public static Judgement naming(Judgement judgement, List<Cluster.Node> nodes) {
    List<Cluster.Node> unusable = unusable(nodes);
    if (!(judgement instanceof Judgement.Failed f) || unusable.isEmpty()) {
      return judgement;
    }
    Diagnosis d = f.diagnosis();
    List<String> subjects = new ArrayList<>(d.subjects());
    unusable.forEach(n -> subjects.add(n.name()));
    return new Judgement.Failed(
        new Diagnosis(
            d.failureClass(),
            d.confidence(),
            d.quotes(),
            Statement.row("; ", d.detail(), Statement.words(words(unusable))),
            subjects));
  }

  /**
   * What a job that was given up for what it showed counts as, where a node is lost by now. A
   * cluster takes minutes to miss a node, and a job that its node took with it is silent meanwhile.
   */
  public static Judgement withItsNode(
      Judgement judgement, Optional<Diagnosis> givenUp, List<Cluster.Node> nodes) {
    List<Cluster.Node> lost = nodes.stream().filter(Cluster.Node::isLost).toList();
    if (!isOfAJobGivenUp(judgement, givenUp) || lost.isEmpty()) {
      return judgement;
    }
    Diagnosis d = givenUp.orElseThrow();
    return new Judgement.Failed(
        new Diagnosis(
            KnownClasses.NODE_FAIL,
            d.confidence(),
            d.quotes(),
            Statement.row("; ", Statement.words(words(lost)), d.detail()),
            lost.stream().map(Cluster.Node::name).toList()));
  }

  /**
   * Whether nothing is known of a failure but why the running job was given up: the cluster must
   * then be asked whether a node is lost.
   */
  public static boolean isOfAJobGivenUp(Judgement judgement, Optional<Diagnosis> givenUp) {
    return judgement instanceof Judgement.Failed f
        && givenUp.equals(Optional.of(f.diagnosis()))
        && !f.diagnosis().failureClass().equals(KnownClasses.NODE_DOWN);
  }

  static List<Cluster.Node> unusable(List<Cluster.Node> nodes) {
    return nodes.stream()
        .filter(n -> n.availability() == Cluster.Node.Availability.UNUSABLE)
        .toList();
  }

  static String words(List<Cluster.Node> nodes) {
    return nodes.stream()
        .map(n -> n.name() + " is " + n.state() + (n.why().isEmpty() ? "" : " (" + n.why() + ")"))
        .collect(Collectors.joining(", "));
  }
}
