import { type ControlsConfig, Streamdown } from "streamdown";
import { highlighting } from "../highlight";
import { MarkdownTable } from "./MarkdownTable";

// A constant outside the component, because Streamdown compares its options by identity.
const fade = { animation: "fadeIn", duration: 220, stagger: 12 };
const controls: ControlsConfig = {
  code: { copy: true, download: false },
  table: false,
  image: { download: false },
};
const plugins = { code: highlighting };
const components = { table: MarkdownTable };
const links = { enabled: false };

export interface MarkdownProps {
  text: string;
  /** The text is still growing. */
  live: boolean;
  /** New words fade in. Each word is an element of its own, which is too expensive where many texts grow at once. */
  fading?: boolean | undefined;
}

/** Markdown renders a text, block by block while it grows. */
export default function Markdown({ text, live, fading = false }: MarkdownProps) {
  return (
    <Streamdown
      className="prose-river"
      animated={fading && fade}
      caret="block"
      codeBlockMaxHeight="none"
      components={components}
      controls={controls}
      isAnimating={live}
      lineNumbers={false}
      linkSafety={links}
      plugins={plugins}
    >
      {text}
    </Streamdown>
  );
}
