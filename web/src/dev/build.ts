import { fieldsOf } from "../fields";

/** Build is what a developer's page shows of the build. */
export interface Build {
  building: boolean;
  /** The compiler's output, if the last build failed; undefined otherwise. */
  error: string | undefined;
  /** The person has folded the error. */
  folded: boolean;
}

/** unknown is the build before its first event. */
export const unknown: Build = { building: false, error: undefined, folded: false };

/** afterEvent is the build after an event of the developer's tool. While it builds again, an error stays. */
export function afterEvent(build: Build, data: string): Build {
  const { state, error } = parse(data);
  switch (state) {
    case "ok":
      return unknown;
    case "building":
      return { ...build, building: true };
    case "failed":
      return { ...build, building: false, error: typeof error === "string" ? error : "" };
    default:
      return build; // Of a newer tool.
  }
}

function parse(data: string): Partial<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(data));
  } catch {
    return {}; // Not ours.
  }
}

/** Line is a line of an error, with the place in the sources that it begins with. */
export interface Line {
  place: string;
  text: string;
}

/** linesOf splits an error into its lines. */
export function linesOf(error: string): Line[] {
  return error
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [place = ""] = /^\s*\S+\.\w+:\d+(:\d+)?(?=:|\s|$)/.exec(line) ?? [];
      return { place, text: line.slice(place.length) };
    });
}
