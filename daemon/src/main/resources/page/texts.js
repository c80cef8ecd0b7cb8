// What the page says, in the language of its reader.

let texts = {};
export let language = "en";

export function setLanguage(lang, loaded) {
  language = lang;
  texts = loaded;
  document.documentElement.lang = lang;
}

export function t(key, ...values) {
  const text = texts["page." + key];
  if (text === undefined) console.error(`the catalogue has no text page.${key}`);
  return (text ?? key).replace(/\{(\d)}/g, (place, index) => values[index] ?? place);
}

const missing = "–";

export function percent(value) {
  if (value === undefined || value === null) return missing;
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2) + " %";
}

export function interval(low, high) {
  if (low === undefined || high === undefined) return missing;
  return t("interval", percent(low).replace(" %", ""), percent(high).replace(" %", ""));
}

const MINUTE = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
const SECOND = { ...MINUTE, year: "numeric", second: "2-digit" };

/** Making a format costs far more than using it. */
const formats = new Map();

function written(millis, parts) {
  if (!millis) return missing;
  const key = language + (parts === SECOND);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, parts));
  return formats.get(key).format(millis);
}

/** Day, hour and minute in the browser's time zone, which is named. */
export const clock = (millis) => written(millis, MINUTE);

/** The same with year and second. */
export const moment = (millis) => written(millis, SECOND);

/** To the second, and from an hour on to the minute. */
export function duration(millis) {
  const [minutes, seconds] = [Math.floor(millis / 60000), Math.floor(millis / 1000) % 60];
  if (minutes < 1) return t("seconds", Math.max(0, Math.round(millis / 1000)));
  return minutes < 60
    ? t("minutes", minutes, String(seconds).padStart(2, "0"))
    : t("hours", Math.floor(minutes / 60), String(minutes % 60).padStart(2, "0"));
}

/** With two decimals, and below 1 with three; zeros at the end are left out. */
export const nodeHours = (hours) => String(Number(hours.toFixed(hours < 1 ? 3 : 2)));

export function figure(value) {
  if (value === undefined || value === null) return missing;
  const size = Math.abs(value);
  return size >= 1e6 ? (value / 1e6).toPrecision(4) + "M"
    : size >= 1e4 ? (value / 1e3).toPrecision(4) + "k" : String(Number(value.toPrecision(4)));
}
