package io.nightsweep.joblog;

import static com.gliwka.hyperscan.jni.hyperscan.HS_MODE_BLOCK;
import static com.gliwka.hyperscan.jni.hyperscan.HS_SUCCESS;
import static com.gliwka.hyperscan.jni.hyperscan.hs_alloc_scratch;
import static com.gliwka.hyperscan.jni.hyperscan.hs_compile_multi;
import static com.gliwka.hyperscan.jni.hyperscan.hs_free_compile_error;
import static com.gliwka.hyperscan.jni.hyperscan.hs_free_database;
import static com.gliwka.hyperscan.jni.hyperscan.hs_free_scratch;
import static com.gliwka.hyperscan.jni.hyperscan.hs_scan;
import static com.gliwka.hyperscan.jni.hyperscan.hs_valid_platform;

import com.gliwka.hyperscan.jni.hs_compile_error_t;
import com.gliwka.hyperscan.jni.hs_database_t;
import com.gliwka.hyperscan.jni.hs_scratch_t;
import com.gliwka.hyperscan.jni.match_event_handler;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/** Matches all patterns in one pass with Vectorscan, the portable successor of Hyperscan. */
final class NativePatternSet implements PatternSet {
  /**
   * Shared by all sets: the native side has room for ten handlers, and calls back on the scanning
   * thread.
   */
  private static final Handler HANDLER = new Handler();

  private static final ThreadLocal<Found> FOUND = ThreadLocal.withInitial(() -> (p, end) -> {});

  private static final Cleaner CLEANER = Cleaner.create();

  /** The number of sets that hold native memory now. */
  static final AtomicInteger LIVE = new AtomicInteger();

  private final SortedMap<Integer, String> expressions;
  private final hs_database_t database;
  private final hs_scratch_t scratch;

  /**
   * Frees the native memory. It must not refer to the set, which would otherwise never be freed.
   */
  private record Native(hs_database_t database, hs_scratch_t scratch) implements Runnable {
    @Override
    public void run() {
      int unused = hs_free_scratch(scratch) + hs_free_database(database);
      LIVE.decrementAndGet();
    }
  }

  /**
   * @throws UnsatisfiedLinkError if the library was not built for this machine
   * @throws IllegalArgumentException if it cannot compile a pattern
   */
  NativePatternSet(SortedMap<Integer, String> expressions) {
    this(expressions, new CompiledPatterns(NativeLibrary.CACHE.resolve("patterns")));
  }

  NativePatternSet(SortedMap<Integer, String> expressions, CompiledPatterns kept) {
    if (hs_valid_platform() != HS_SUCCESS) {
      throw new UnsatisfiedLinkError("the pattern engine does not know this processor");
    }
    this.expressions = Collections.unmodifiableSortedMap(expressions);
    database = kept.of(expressions, () -> compile(expressions));
    PointerPointer<hs_scratch_t> made = new PointerPointer<>(1);
    made.put(0, (Pointer) null);
    if (hs_alloc_scratch(database, made) != HS_SUCCESS) {
      throw new OutOfMemoryError("no memory for the pattern engine");
    }
    scratch = new hs_scratch_t(made.get(0));
    LIVE.incrementAndGet();
    Cleaner.Cleanable unused = CLEANER.register(this, new Native(database, scratch));
  }

  private static hs_database_t compile(SortedMap<Integer, String> numbered) {
    List<String> expressions = List.copyOf(numbered.sequencedValues());
    int count = expressions.size();
    BytePointer[] texts = new BytePointer[count];
    int[] ids = new int[count];
    for (int i = 0; i < count; i++) {
      texts[i] = new BytePointer(Bytewise.of(expressions.get(i)));
    }
    int next = 0;
    for (int id : numbered.sequencedKeySet()) {
      ids[next++] = id;
    }
    try (PointerPointer<BytePointer> all = new PointerPointer<>(texts);
        IntPointer flags = new IntPointer(new int[count]);
        IntPointer numbers = new IntPointer(ids);
        PointerPointer<hs_database_t> database = new PointerPointer<>(1);
        PointerPointer<hs_compile_error_t> error = new PointerPointer<>(1)) {
      int status =
          hs_compile_multi(all, flags, numbers, count, HS_MODE_BLOCK, null, database, error);
      if (status != HS_SUCCESS) {
        hs_compile_error_t why = new hs_compile_error_t(error.get(0));
        String message =
            why.expression() >= 0
                ? "pattern '" + expressions.get(why.expression()) + "': " + text(why)
                : text(why);
        hs_free_compile_error(why);
        throw new IllegalArgumentException(message);
      }
      return new hs_database_t(database.get(0));
    }
  }

  private static String text(hs_compile_error_t error) {
    return error.message().getString();
  }

  @Override
  public SortedMap<Integer, String> expressions() {
    return expressions;
  }

  @Override
  public synchronized void scan(ByteBuffer buffer, int from, int length, Found found) {
    FOUND.set(found);
    try (BytePointer bytes = new BytePointer(buffer)) {
      bytes.position(from);
      int status = hs_scan(database, bytes, length, 0, scratch, HANDLER, null);
      if (status != HS_SUCCESS) {
        throw new IllegalStateException("the pattern engine failed with status " + status);
      }
    } finally {
      FOUND.remove();
      Reference.reachabilityFence(this);
    }
  }

  private static final class Handler extends match_event_handler {
    @Override
    public int call(int id, long from, long to, int flags, Pointer context) {
      FOUND.get().at(id, (int) to);
      return 0;
    }
  }
}
