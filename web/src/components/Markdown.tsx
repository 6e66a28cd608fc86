import { type ControlsConfig, Streamdown } from "streamdown";

// Held outside of the component: Streamdown compares its options by identity.
const animation = { animation: "fadeIn", duration: 220, stagger: 12 };
const controls: ControlsConfig = {
  code: { copy: true, download: false },
  table: false,
  image: { download: false },
};
const links = { enabled: false };

/** Markdown renders an answer, block by block while it grows. */
export default function Markdown({ text, live }: { text: string; live: boolean }) {
  return (
    <Streamdown
      className="prose-river"
      animated={animation}
      caret="block"
      controls={controls}
      isAnimating={live}
      lineNumbers={false}
      linkSafety={links}
    >
      {text}
    </Streamdown>
  );
}
