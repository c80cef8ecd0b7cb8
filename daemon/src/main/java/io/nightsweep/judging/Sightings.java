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

/** What one look at the cluster says of an attempt's job. */
public final class Sightings {
  private Sightings() {}

  public static Optional<Event> started(AttemptState a, JobStatus.Running running) {
    return a.startedAt().isPresent()
        ? Optional.empty()
        : Optional.of(new Event.AttemptStarted(a.id(), running.startedAt(), running.nodes()));
  }

  /** A short job starts and ends between two looks; its start is journaled with its end. */
  public static List<Event> ended(AttemptState a, JobStatus.Ended ended, Instant now) {
    JobEnd told = within(a, ended.end(), now);
    Event end = new Event.AttemptEnded(a.id(), told);
    return told.startedAt()
        .filter(at -> a.startedAt().isEmpty())
        .<List<Event>>map(at -> List.of(new Event.AttemptStarted(a.id(), at, ended.nodes()), end))
        .orElseGet(() -> List.of(end));
  }

  /**
   * The end with times that can be: a job writes into its record what it likes, and its node's
   * clock may be wrong. It began no earlier than it was asked for and has ended by now; how long it
   * took counts, as far as there was time for it.
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
   * A duplicate's end says nothing of the attempt: the job that holds the claim goes on.
   *
   * @param owner the job that the cluster finds by the attempt's name
   */
  public static Optional<Event> duplicated(AttemptState a, Optional<JobId> owner) {
    return owner
        .filter(job -> !a.job().equals(Optional.of(job)))
        .map(job -> new Event.Submitted(a.id(), job));
  }

  /**
   * What is to be thought of a duplicate of which the cluster finds no other job: nobody knows the
   * one that it was a duplicate of, and nothing else will ever end the attempt.
   */
  public static JobStatus believed(AttemptState a, JobStatus status, Optional<JobId> owner) {
    return status instanceof JobStatus.Ended e
            && e.end().state() == JobEnd.State.DUPLICATE
            && duplicated(a, owner).isEmpty()
        ? new JobStatus.Unknown("it ended as a duplicate, and no other job is found")
        : status;
  }

  /** Begins or ends a grace where this look says something else than the one before. */
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
          // What has ended is in doubt no more; it needs no event to say so.
          case JobStatus.Ended e -> a.doubt().map(AttemptState.Doubt::kind);
        };
    return told.equals(a.doubt().map(AttemptState.Doubt::kind))
        ? Optional.empty()
        : Optional.of(
            told.<Event>map(kind -> new Event.AttemptDoubted(a.id(), kind))
                .orElseGet(() -> new Event.AttemptSeen(a.id())));
  }

  /** A job that no source has known for the length of the grace has vanished. */
  public static Optional<Event> vanished(AttemptState a, Duration grace, Instant now) {
    return !isInDoubt(a, AttemptState.Doubt.Kind.UNKNOWN, grace, now)
        ? Optional.empty()
        : Optional.of(
            new Event.AttemptEnded(
                a.id(),
                new JobEnd(JobEnd.State.VANISHED, 0, a.startedAt(), now, JobEnd.Source.QUEUE)));
  }

  /** Whether a job has waited for its nodes so long that the cluster must be asked about them. */
  public static boolean isLeftWaiting(AttemptState a, Duration grace, Instant now) {
    return a.givenUp().isEmpty() && isInDoubt(a, AttemptState.Doubt.Kind.WITHOUT_NODES, grace, now);
  }

  private static boolean isInDoubt(
      AttemptState a, AttemptState.Doubt.Kind kind, Duration grace, Instant now) {
    return a.doubt()
        .filter(d -> d.kind() == kind && !now.isBefore(d.since().plus(grace)))
        .isPresent();
  }

  /** A job that waits for a pinned node which is down or drained would wait for ever. */
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

  /** Whether an intent has gone without the cluster's answer so long that its job is looked for. */
  public static boolean isUnanswered(AttemptState a, Duration grace, Instant now) {
    return a.job().isEmpty() && !now.isBefore(a.intendedAt().plus(grace));
  }
}
