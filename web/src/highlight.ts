import type { BundledLanguage, HighlighterCore } from "shiki";
import type { CodeHighlighterPlugin, HighlightResult } from "streamdown";

/** The languages that are highlighted. Each grammar is fetched when code in its language is first shown. */
const languages: Partial<
  Record<BundledLanguage, () => Promise<{ default: Parameters<HighlighterCore["loadLanguage"]>[0] }>>
> = {
  bash: () => import("shiki/langs/bash.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const otherNames: Record<string, BundledLanguage> = {
  golang: "go",
  javascript: "tsx",
  js: "tsx",
  jsx: "tsx",
  py: "python",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  yml: "yaml",
};

function languageOf(name: string): BundledLanguage {
  return otherNames[name] ?? (name as BundledLanguage);
}

/** The theme uses variables of the style sheet, so that the colours follow light and dark mode. */
const theme = "css-variables";

let highlighter: HighlighterCore | undefined;
const loading = new Map<BundledLanguage, Promise<void>>();

const core = async (): Promise<HighlighterCore> => {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
  ]);
  const created = await createHighlighterCore({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [createCssVariablesTheme({ name: theme, variablePrefix: "--code-" })],
  });
  highlighter ??= created;
  return highlighter;
};

async function load(language: BundledLanguage): Promise<void> {
  const grammar = languages[language];
  if (!grammar) return;
  const [{ default: rules }, into] = await Promise.all([grammar(), highlighter ?? core()]);
  await into.loadLanguage(rules);
}

function tokens(code: string, language: BundledLanguage): HighlightResult | null {
  if (!highlighter?.getLoadedLanguages().includes(language)) return null;
  return highlighter.codeToTokens(code, { lang: language, theme });
}

/** highlighting highlights code by shiki. Code stays plain until its grammar has loaded. */
export const highlighting: CodeHighlighterPlugin = {
  name: "shiki",
  type: "code-highlighter",
  getSupportedLanguages: () => [...Object.keys(languages), ...Object.keys(otherNames)] as BundledLanguage[],
  getThemes: () => [theme, theme] as never,
  supportsLanguage: (name) => languageOf(name) in languages,
  highlight({ code, language: name }, callback) {
    const language = languageOf(name);
    const ready = tokens(code, language);
    if (ready || !callback || !(language in languages)) return ready;
    const loaded = loading.get(language) ?? load(language);
    loading.set(language, loaded);
    loaded.then(
      () => {
        const result = tokens(code, language);
        if (result) callback(result);
      },
      () => loading.delete(language), // The code stays plain, and the next block in this language tries again.
    );
    return null;
  },
};
