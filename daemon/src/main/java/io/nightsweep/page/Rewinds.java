package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.journal.Replay;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.SweepState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.zip.GZIPOutputStream;

/**
 * Nights as frames to walk back on: each frame goes on top of the one before, and the last event is
 * the live page's. A night's journal is folded for them once, and again when a further frame is
 * due. They are made one at a time, whoever asks: each takes as much memory as the night itself.
 */
final class Rewinds {
  /** One frame for each place of the slider. */
  static final int FRAMES = 100;

  private static final int KEPT = 8;

  private final Redaction redaction;
  private final Map<String, Packed> kept = new LinkedHashMap<>(KEPT, 0.75f, true);

  Rewinds(Redaction redaction) {
    this.redaction = redaction;
  }

  /**
   * What the frames of a night depend on.
   *
   * @param startedAt tells two sweeps of one name apart
   * @param stride events from one frame to the next
   */
  record RewindKey(Optional<Instant> startedAt, long stride, long frames) {
    static RewindKey of(SweepState s) {
      long stride = Math.max(1, Math.ceilDiv(s.seq(), FRAMES));
      return new RewindKey(s.startedAt(), stride, s.seq() / stride);
    }

    /** For a browser that has the frames already. */
    String tag() {
      return startedAt.map(Instant::toEpochMilli).orElse(0L) + "-" + stride + "-" + frames;
    }
  }

  private record Packed(RewindKey version, SoftReference<byte[]> json) {}

  /** JSON in gzip: an object whose {@code frames} are the night's. */
  synchronized byte[] packed(SweepDirectory sweep, SweepState s, Phrases t) throws IOException {
    RewindKey version = RewindKey.of(s);
    String key = sweep.id() + t.suffix();
    Packed known = kept.get(key);
    byte[] json = known == null || !known.version().equals(version) ? null : known.json().get();
    if (json == null) {
      json = pack(sweep, version, t);
      kept.put(key, new Packed(version, new SoftReference<>(json)));
      if (kept.size() > KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
    }
    return json;
  }

  private byte[] pack(SweepDirectory sweep, RewindKey version, Phrases t) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      String[] before = {"{\"frames\":["};
      frames(
          sweep,
          version,
          List.of(t),
          (language, frame) -> {
            try {
              out.write(before[0].getBytes(StandardCharsets.UTF_8));
              out.write(Json.mapper().writeValueAsBytes(frame));
              before[0] = ",";
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      out.write((before[0].equals(",") ? "]}" : before[0] + "]}").getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** Hands over each frame in every one of the languages, by one reading of the journal. */
  void frames(
      SweepDirectory sweep,
      RewindKey version,
      List<Phrases> languages,
      BiConsumer<Phrases, JsonNode> sink)
      throws IOException {
    // These are not the boards of the live page, which would be pushed out.
    Boards boards = new Boards();
    Replay replay = new Replay();
    SweepState[] shown = {SweepState.empty()};
    JournalReader.read(
        sweep.journal(),
        entry -> {
          if (entry.seq() > version.stride() * version.frames()) {
            return;
          }
          replay.accept(entry);
          if (entry.seq() % version.stride() == 0) {
            SweepState state = replay.state();
            for (Phrases t : languages) {
              Frame frame = new Frames(t, boards).between(shown[0], state, entry.at());
              sink.accept(t, frame.json(redaction));
            }
            shown[0] = state;
          }
        });
  }
}
