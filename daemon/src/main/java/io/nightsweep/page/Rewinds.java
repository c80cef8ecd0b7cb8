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
 * A night as a series of frames for the page's slider. Each frame is applied on top of the one
 * before; the live page supplies the last event. The journal is folded once for them, and again
 * when another frame is due. Only one night is folded at a time, since its frames take as much
 * memory as the night itself.
 */
final class Rewinds {
  /** One frame for each position of the slider. */
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
   * @param startedAt distinguishes two sweeps with one name
   * @param stride events from one frame to the next
   */
  record RewindKey(Optional<Instant> startedAt, long stride, long frames) {
    static RewindKey of(SweepState s) {
      long stride = Math.max(1, Math.ceilDiv(s.seq(), FRAMES));
      return new RewindKey(s.startedAt(), stride, s.seq() / stride);
    }

    /** The version tag, by which a browser knows that it has these frames already. */
    String tag() {
      return startedAt.map(Instant::toEpochMilli).orElse(0L) + "-" + stride + "-" + frames;
    }
  }

  private record Packed(RewindKey version, SoftReference<byte[]> json) {}

  /** Gzipped JSON: an object with the night's {@code frames}. */
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

  /** Passes on each frame in each language, from a single reading of the journal. */
  void frames(
      SweepDirectory sweep,
      RewindKey version,
      List<Phrases> languages,
      BiConsumer<Phrases, JsonNode> sink)
      throws IOException {
    // A cache of its own: these boards would push the live page's out of the shared one.
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
