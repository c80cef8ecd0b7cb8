package io.nightsweep.judging;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Interprets an observation of an attempt's job on the cluster. */
public final class Sightings {
  private Sightings() {}

  public static Optional<Event> started(AttemptState a, JobStatus.Running running) {
    return a.startedAt().isPresent()
        ? Optional.empty()
        : Optional.of(new Event.AttemptStarted(a.id(), running.startedAt(), running.nodes()));
  }

  /**
   * Events for a job's end. A short job may start and end between two observations, so its start
   * may be journaled together with its end.
   */
  public static List<Event> ended(AttemptState a, JobStatus.Ended ended, Instant now) {
    JobEnd told = within(a, ended.end(), now);
    Event end = new Event.AttemptEnded(a.id(), told);
    return told.startedAt()
        .filter(at -> a.startedAt().isEmpty())
        .<List<Event>>map(at -> List.of(new Event.AttemptStarted(a.id(), at, ended.nodes()), end))
        .orElseGet(() -> List.of(end));
  }

  /**
   * The end with possible times, since a job's record may contain anything and its node's clock may
   * be wrong. The job began no earlier than it was requested and has ended by now; its duration is
   * kept as far as that allows.
   */
  private static JobEnd within(AttemptState a, JobEnd end, Instant now) {
    Instant first = a.intendedAt();
    Instant last = now.isBefore(first) ? first : now;
    Instant begun = end.startedAt().orElse(end.endedAt());
    Duration took =
        between(
            Duration.ZERO, Duration.between(begun, end.endedAt()), Duration.between(first, last));
    Instant endedAt = between(first.plus(took), end.endedAt(), last);
    return new JobEnd(
        end.state(),
        end.exitCode(),
        end.startedAt().map(at -> endedAt.minus(took)),
        endedAt,
        end.source());
  }

  private static <T extends Comparable<T>> T between(T least, T value, T most) {
    return value.compareTo(least) < 0 ? least : value.compareTo(most) > 0 ? most : value;
  }

  /**
   * A duplicate's end says nothing about the attempt: the job that holds the claim continues.
   *
   * @param owner the job that the cluster finds by the attempt's name
   */
  public static Optional<Event> duplicated(AttemptState a, Optional<JobId> owner) {
    return owner
        .filter(job -> !a.job().equals(Optional.of(job)))
        .map(job -> new Event.Submitted(a.id(), job));
  }

  /**
   * The status to assume for a duplicate if the cluster finds no other job: the job with the claim
   * is unknown, and nothing else would ever end the attempt.
   */
  public static JobStatus believed(AttemptState a, JobStatus status, Optional<JobId> owner) {
    return status instanceof JobStatus.Ended e
            && e.end().state() == JobEnd.State.DUPLICATE
            && duplicated(a, owner).isEmpty()
        ? new JobStatus.Unknown("it ended as a duplicate, and no other job is found")
        : status;
  }

  /** Starts or ends a grace period if this observation differs from the last one. */
  public static Optional<Event> doubt(AttemptState a, JobStatus status) {
    Optional<AttemptState.Doubt.Kind> told =
        switch (status) {
          case JobStatus.Unknown u -> Optional.of(AttemptState.Doubt.Kind.UNKNOWN);
          case JobStatus.Pending p ->
              p.forWantOfNodes()
                  ? Optional.of(AttemptState.Doubt.Kind.WITHOUT_NODES)
                  : Optional.empty();
          case JobStatus.Completing c -> Optional.empty();
          case JobStatus.Running r -> Optional.empty();
          // An ended job is no longer in doubt, which needs no event.
          case JobStatus.Ended e -> a.doubt().map(AttemptState.Doubt::kind);
        };
    return told.equals(a.doubt().map(AttemptState.Doubt::kind))
        ? Optional.empty()
        : Optional.of(
            told.<Event>map(kind -> new Event.AttemptDoubted(a.id(), kind))
                .orElseGet(() -> new Event.AttemptSeen(a.id())));
  }

  /** A job that no source has known for the grace period has vanished. */
  public static Optional<Event> vanished(AttemptState a, Duration grace, Instant now) {
    return !isInDoubt(a, AttemptState.Doubt.Kind.UNKNOWN, grace, now)
        ? Optional.empty()
        : Optional.of(
            new Event.AttemptEnded(
                a.id(),
                new JobEnd(JobEnd.State.VANISHED, 0, a.startedAt(), now, JobEnd.Source.QUEUE)));
  }

  /** Whether a job has waited for its nodes so long that the cluster must be queried about them. */
  public static boolean isLeftWaiting(AttemptState a, Duration grace, Instant now) {
    return a.givenUp().isEmpty() && isInDoubt(a, AttemptState.Doubt.Kind.WITHOUT_NODES, grace, now);
  }

  private static boolean isInDoubt(
      AttemptState a, AttemptState.Doubt.Kind kind, Duration grace, Instant now) {
    return a.doubt()
        .filter(d -> d.kind() == kind && !now.isBefore(d.since().plus(grace)))
        .isPresent();
  }

  /** Ends a job that waits for a pinned node which is down or drained: it would wait for ever. */
  public static Optional<Event> nodesGone(AttemptState a, List<Cluster.Node> nodes) {
    List<Cluster.Node> unusable = Judging.unusable(nodes);
    return unusable.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Event.AttemptGivenUp(
                a.id(),
                new Diagnosis(
                    KnownClasses.NODE_DOWN,
                    1,
                    List.of(),
                    Statement.words(Judging.words(unusable)),
                    unusable.stream().map(Cluster.Node::name).toList())));
  }

  /**
   * Whether an intent has had no answer from the cluster for so long that its job must be looked
   * up.
   */
  public static boolean isUnanswered(AttemptState a, Duration grace, Instant now) {
    return a.job().isEmpty() && !now.isBefore(a.intendedAt().plus(grace));
  }
}
