// The rows of one sweep by section and key, and what of them changed since they were last drawn.

export class Store {
  constructor() {
    this.clear();
  }

  clear() {
    this.sections = new Map();
    this.changed = new Map();
    this.seq = 0;
    this.at = 0;
    this.said = { at: 0, heard: 0 };
    this.isNew = true;
  }

  put(frame) {
    if (frame.whole) this.clear();
    this.seq = frame.seq;
    this.at = frame.at;
    this.said = { at: frame.at, heard: performance.now() };
    for (const section of frame.complete ?? []) {
      this.section(section).clear();
      this.changed.set(section, new Set());
    }
    for (const [section, rows] of Object.entries(frame.put)) {
      const keep = this.section(section);
      const changed = this.changed.get(section) ?? new Set();
      for (const [key, row] of Object.entries(rows)) {
        keep.set(key, row);
        changed.add(key);
      }
      this.changed.set(section, changed);
    }
  }

  /** The daemon's clock goes on while nothing changes. */
  tick() {
    this.at = this.said.at + (performance.now() - this.said.heard);
  }

  /** Steps of running jobs, which are in no frame. */
  putSteps(rows) {
    const changed = this.changed.get("steps") ?? new Set();
    for (const [key, row] of Object.entries(rows)) {
      append(this.section("steps"), key, row);
      changed.add(key);
    }
    this.changed.set("steps", changed);
  }

  section(name) {
    if (!this.sections.has(name)) this.sections.set(name, new Map());
    return this.sections.get(name);
  }

  get sweep() {
    return this.section("sweep").get("sweep");
  }

  /** The keys of a section in their order. */
  keys(name) {
    return [...this.section(name).keys()].sort();
  }

  /** What changed since the last call, and whether all is new. */
  takeChanges() {
    const taken = { all: this.isNew, of: (section) => this.isNewOr(taken, section), map: this.changed };
    this.changed = new Map();
    this.isNew = false;
    return taken;
  }

  isNewOr(taken, section) {
    return taken.all ? new Set(this.section(section).keys()) : (taken.map.get(section) ?? new Set());
  }
}

/** A row of steps holds what is new from one place on. */
function append(keep, key, row) {
  const series = keep.get(key) ?? { index: [], value: [] };
  series.index.length = Math.min(series.index.length, row.from);
  series.value.length = series.index.length;
  series.index = series.index.concat(row.index);
  series.value = series.value.concat(row.value);
  keep.set(key, series);
}
