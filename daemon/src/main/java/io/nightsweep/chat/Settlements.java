package io.nightsweep.chat;

import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.NoticeSettled.Settlement;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Closes a notice once each recipient has got it or never will. */
final class Settlements {
  private final ChatSweeps sweeps;
  private final List<String> recipients;

  Settlements(ChatSweeps sweeps, List<String> recipients) {
    this.sweeps = sweeps;
    this.recipients = List.copyOf(recipients);
  }

  /** Called by the threads of all recipients; synchronized, so that a notice is closed once. */
  synchronized void close(String sweep) throws IOException {
    Optional<SweepState> state =
        sweeps.all().stream().filter(s -> s.sweep().equals(sweep)).findFirst();
    List<Event> events = new ArrayList<>();
    state.ifPresent(
        s ->
            s.notices()
                .forEach(
                    (key, notice) ->
                        settled(notice).map(how -> settled(key, how)).ifPresent(events::add)));
    if (!events.isEmpty()) {
      sweeps.record(sweep, events);
    }
  }

  /** The best outcome among the recipients; empty while one is still pending. */
  private Optional<Settlement> settled(NoticeState notice) {
    return notice.isPending() && recipients.stream().noneMatch(notice::isPendingFor)
        ? recipients.stream()
            .flatMap(r -> notice.delivery(r).settled().stream())
            .min(Comparator.naturalOrder())
        : Optional.empty();
  }

  private static Event settled(String key, Settlement how) {
    return new Event.NoticeSettled(
        key,
        NoticeState.EVERYBODY,
        how,
        Statement.phrase(
            switch (how) {
              case DELIVERED -> "notice-arrived";
              case IN_ANOTHER -> "notice-together";
              case DROPPED -> "notice-nobody";
            }));
  }
}
