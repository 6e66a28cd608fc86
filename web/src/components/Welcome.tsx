import { StreamJoin } from "./StreamJoin";

const suggestions = [
  { title: "What can you do?", knobs: "" },
  { title: "Compare HTTP/3 and gRPC", knobs: "" },
  { title: "Plan a weekend in Lisbon", knobs: "" },
  { title: "Plan a release with config/.env, and ask me first", knobs: "" },
  { title: "Look into durable execution meanwhile", knobs: "tool=background" },
  { title: "Answer slowly, so that I can stop you", knobs: "chunks=200 delay=120" },
];

interface WelcomeProps {
  disabled: boolean;
  onPick: (text: string) => void;
}

/** Welcome is the first screen: it introduces the product and offers some first messages. */
export function Welcome({ disabled, onPick }: WelcomeProps) {
  return (
    <section aria-labelledby="welcome" className="my-auto py-8">
      <h1 id="welcome" className="font-display text-4xl leading-tight tracking-tight text-balance sm:text-5xl">
        Many streams, one answer.
      </h1>
      <p className="mt-4 max-w-lg text-lg text-quiet">
        An assistant written in Go, at home in a Durable Object. What you ask joins the stream; the answer comes down it
        as it is written.
      </p>
      <ul className="mt-8">
        {suggestions.map(({ title, knobs }) => (
          <li key={title} className="reach last:pb-16">
            <StreamJoin />
            <button
              type="button"
              disabled={disabled}
              className="suggestion flex w-full flex-wrap items-baseline gap-x-3 rounded-xl px-3 py-3 text-left disabled:cursor-not-allowed disabled:text-quiet"
              onClick={() => onPick(`${title} ${knobs}`.trim())}
            >
              {title} {knobs && <span className="font-mono text-xs text-quiet">{knobs}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
