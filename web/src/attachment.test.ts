import { readFileSync } from "node:fs";
import type { FileUIPart } from "ai";
import { expect, test } from "vitest";
import {
  admit,
  attachmentName,
  attachmentsOf,
  attachmentText,
  excess,
  limits,
  partsOf,
  pictureOf,
  read,
  textAttachment,
} from "./attachment";

const image = (name: string, size = 10): FileUIPart => ({
  type: "file",
  mediaType: "image/png",
  filename: name,
  url: "x".repeat(size),
});

test("a text file becomes a part from which its name and its text can be read", () => {
  const part = textAttachment("notes.md", "# Notes\n\nAttached file: none");
  expect(attachmentName(part)).toBe("notes.md");
  expect(attachmentText(part)).toBe("# Notes\n\nAttached file: none");
});

test("a person's text is not an attachment", () => {
  const parts = [{ type: "text", text: "Attached file: is what I say" } as const, image("a.png")];
  expect(attachmentsOf(parts)).toEqual([image("a.png")]);
});

test.each([
  ["data:image/png;base64,AAAA", true],
  ["data:image/webp;base64,AAAA", true],
  ["data:image/svg+xml;base64,AAAA", false],
  ["data:text/html;base64,AAAA", false],
  ["https://example.com/a.png", false],
  ["data:,", false],
])("the image %s is shown: %s", (url, shown) => {
  expect(pictureOf({ type: "file", mediaType: "image/png", url })).toBe(shown ? url : undefined);
});

test("files that fit are accepted in their order", () => {
  const { taken, refused } = admit([image("a.png")], [image("b.png"), textAttachment("c.txt", "c")]);
  expect(taken.map(attachmentName)).toEqual(["a.png", "b.png", "c.txt"]);
  expect(refused).toEqual([]);
});

test("one file too many is refused by its name", () => {
  const { taken, refused } = admit(
    [],
    Array.from({ length: limits.count + 1 }, (_, n) => image(`${n}.png`)),
  );
  expect(taken).toHaveLength(limits.count);
  expect(refused).toEqual([`${limits.count}.png: a message takes ${limits.count} files`]);
});

test("a file that is too large beside the others is refused, and a smaller one after it is accepted", () => {
  const { taken, refused } = admit([image("a.png", limits.size - 300)], [image("b.png", 300), image("c.png", 20)]);
  expect(taken.map(attachmentName)).toEqual(["a.png", "c.png"]);
  expect(refused).toEqual(["b.png: too large beside the others"]);
});

/** The server's limit for a message, in bytes of its JSON. */
function serverLimit(): number {
  const source = readFileSync(new URL("../../durable/limit/limit.go", import.meta.url), "utf8");
  return Number(/^\tMessage = ([\d_]+)$/m.exec(source)?.[1]?.replaceAll("_", ""));
}

/** The bytes of a message's JSON. */
const sent = (...args: Parameters<typeof partsOf>) =>
  Buffer.byteLength(JSON.stringify({ id: "i".repeat(128), role: "user", parts: partsOf(...args) }));

test.each([
  ["quotes and tabs", '"a"\t"b"\n'],
  ["letters of several bytes", "č€"],
])("files of %s are counted as they are sent", (_, text) => {
  const files = Array.from({ length: limits.count }, (_, n) =>
    textAttachment(`${n}.csv`, text.repeat(198_000 / Buffer.byteLength(text))),
  );
  const { taken, refused } = admit([], files);
  expect(taken.length + refused.length).toBe(files.length);
  expect(sent("", taken)).toBeLessThanOrEqual(serverLimit());
  expect(sent("", taken)).toBeGreaterThan(1_000_000);
});

test("the text and the attachments count together", () => {
  const files = [textAttachment("a.csv", "a".repeat(1_000_000))];
  const most = limits.message - Buffer.byteLength(JSON.stringify(partsOf(".", files))) + 1;
  for (const text of ["a".repeat(most), "€".repeat(most / 3), '"'.repeat(most / 2)]) {
    expect(excess(text, files)).toBeUndefined();
    expect(sent(text, files)).toBeLessThanOrEqual(serverLimit());
    expect(excess(`${text}aaa`, files)).toBe("The message is too large: 1,800 kB, at most 1,799 kB");
  }
});

test("a text file is read", async () => {
  await expect(read(new File(["hello"], "a.txt"))).resolves.toEqual(textAttachment("a.txt", "hello"));
});

test.each([
  ["binary", new File([new Uint8Array([0, 1])], "a.bin"), "neither text nor an image"],
  ["not UTF-8", new File([new Uint8Array([0xff])], "a.txt"), "neither text nor an image"],
  ["large", new File(["x".repeat(limits.text + 1)], "a.txt"), "at most 200 kB of text"],
])("a file that is %s is refused", async (_, file, why) => {
  await expect(read(file)).rejects.toThrow(why);
});
