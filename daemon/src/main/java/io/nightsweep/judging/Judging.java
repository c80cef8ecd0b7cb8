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

/** Decides what an ended attempt counts as, from everything observed about it. */
public final class Judging {
  private static final Diagnosis DISK_FULL =
      new Diagnosis(
          KnownClasses.DISK_FULL, 0.9, List.of(), Statement.phrase("attestation-lost"), List.of());

  /** A playbook's diagnosis with less confidence than this is replaced by the workload's own. */
  private static final double GUESS = 0.5;

  private static final Set<String> NO_CAUSE =
      Set.of(KnownClasses.UNCLASSIFIED, KnownClasses.SUCCESS, KnownClasses.SOFT_SUCCESS);

  private Judging() {}

  /**
   * What is known about an attempt once its log is completely read.
   *
   * @param contradiction how the job's software differs from that of the sweep's first jobs
   * @param isClaimLost whether the job's first output was lost, as on a full disk
   * @param diagnosis what log and end mean if the attempt failed; for a job that was already given
   *     up, the cause in the log, or silence if the log shows none
   */
  public record Observed(
      Trial.Purpose purpose,
      JobEnd end,
      Workload.WorkloadReading reading,
      Optional<Statement> contradiction,
      boolean isClaimLost,
      Diagnosis diagnosis) {

    /** How what ran differs from what was scheduled. */
    public Optional<Statement> difference() {
      return reading.effective() instanceof Workload.Effective.Different d
          ? Optional.of(d.found())
          : contradiction;
    }

    private boolean isAttested() {
      return reading.effective() instanceof Workload.Effective.AsScheduled;
    }

    /**
     * Whether lines of the log were lost and not just never printed: the first output is missing,
     * or the log says that its disk was full.
     */
    private boolean isLogCut(Measurement measured) {
      return isClaimLost
          || diagnosis.failureClass().equals(KnownClasses.DISK_FULL)
          || measured.steps().stream().mapToInt(MeasuredStep::index).min().orElse(0) > 1;
    }

    /** Whether the job ended well; if no source knows it any more, by its own output. */
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

  /** Applies the rules from the top; the first that matches decides. */
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
    // A loss that is not a number is a failure whatever the exit code and the speed; a training
    // that aborts for it may show it only in its figures.
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
   * Whether the diagnosis of a run without a measurement gives no reason. A run that ended well but
   * printed no figure, or NaN, is not a success; its workload knows what is missing.
   */
  public static boolean tellsNoCause(Diagnosis diagnosis) {
    return NO_CAUSE.contains(diagnosis.failureClass()) || diagnosis.confidence() < GUESS;
  }

  /**
   * The diagnosis of a divergence: from the log if a class of the playbook recognised it, otherwise
   * from the steps' losses.
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
   * Whether the cluster ended the job for lack of a node and the diagnosis names no pinned node:
   * then the cluster must be queried for unusable nodes.
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

  /** The failure, with the unusable nodes added to those on which a remedy acts. */
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
   * The judgement for a job that was given up, if one of its nodes is lost by now. A cluster needs
   * minutes to notice a lost node, and until then the job on it is just silent.
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
   * Whether a failure has no other cause than the reason for giving the job up: then the cluster
   * must be queried for lost nodes.
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
