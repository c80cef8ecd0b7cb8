package io.nightsweep.chat;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** The messages of a night, each as it reads when it is issued. */
public final class NoticeTexts {
  private static final Path ARTIFACTS = Path.of("/state/sweeps/night/jobs");

  private NoticeTexts() {}

  public static String of(List<Entry> entries) {
    Composer composer = new Composer(ZoneOffset.UTC);
    StringBuilder texts = new StringBuilder();
    SweepState s = SweepState.empty();
    for (Entry entry : entries) {
      s = s.apply(entry);
      if (entry.event() instanceof Event.NoticeIssued n) {
        texts.append("== ").append(n.key()).append('\n');
        texts.append(Pages.text(message(composer, s, n).lines())).append('\n');
      }
    }
    return texts.toString();
  }

  private static Message message(Composer composer, SweepState s, Event.NoticeIssued n) {
    try {
      return composer.of(
          s,
          new Composer.Occasion(n.key(), n.notice(), s.lastEventAt(), ARTIFACTS, Optional.empty()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
