import type { FileUIPart, TextUIPart } from "ai";
import type { MessagePart } from "./part";

/** Attachment is a file as a message carries it: an image, or the text of a text file. */
export type Attachment = FileUIPart | TextUIPart;

/** limits keeps a message with its attachments below the server's limit of 1.8 MB. */
export const limits = {
  /** Bytes of a message's parts as JSON; the rest of the 1.8 MB is for its id and its role. */
  message: 1_799_000,
  /** Number of attachments. */
  count: 6,
  /** Bytes of all attachments together, as JSON. */
  size: 1_500_000,
  /** Bytes of a text file. */
  text: 200_000,
  /** Pixels of an image's longer side; a larger image is scaled down. */
  side: 1568,
  /** Bytes of an image; a larger one is compressed again. */
  image: 250_000,
};

const images = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** The first line of an attached text file, which is an ordinary text part otherwise. */
const opening = /^Attached file: ([^\n]{1,200})\n\n/;

/** textAttachment makes the part that carries a text file. */
export function textAttachment(name: string, text: string): TextUIPart {
  return { type: "text", text: `Attached file: ${name.replaceAll("\n", " ").slice(0, 200)}\n\n${text}` };
}

/** attachmentName is an attachment's file name; undefined for a part that is not an attachment. */
export function attachmentName(part: MessagePart): string | undefined {
  if (part.type === "file") return part.filename ?? part.mediaType;
  return part.type === "text" ? opening.exec(part.text)?.[1] : undefined;
}

/**
 * pictureOf is the URL of an image that can be shown: one that holds the image itself. A browser would fetch any other
 * one, from wherever a tool says. It is undefined for the place of an image that its message has no room for.
 */
export function pictureOf({ url }: FileUIPart): string | undefined {
  return images.some((type) => url?.startsWith(`data:${type};base64,`)) ? url : undefined;
}

/** attachmentText is the content of an attached text file. */
export function attachmentText(part: TextUIPart): string {
  return part.text.replace(opening, "");
}

/** attachmentsOf lists the attachments among a message's parts. */
export function attachmentsOf(parts: MessagePart[]): Attachment[] {
  return parts.filter(
    (part): part is Attachment => (part.type === "file" || part.type === "text") && attachmentName(part) !== undefined,
  );
}

/** partsOf makes the parts of a message: its text and its attachments. */
export function partsOf(text: string, attachments: Attachment[]): Attachment[] {
  return text === "" ? attachments : [{ type: "text", text }, ...attachments];
}

const encoder = new TextEncoder();

/** The bytes of a part as JSON, in which quotes, tabs and line ends take more room than in a file. */
function sizeOf(part: unknown): number {
  return encoder.encode(JSON.stringify(part)).length;
}

/** excess explains that a message is larger than the server accepts; undefined where it is not. */
export function excess(text: string, attachments: Attachment[]): string | undefined {
  const size = sizeOf(partsOf(text, attachments));
  if (size <= limits.message) return undefined;
  return `The message is too large: ${kilobytes(size)} kB, at most ${kilobytes(limits.message)} kB`;
}

function kilobytes(size: number): string {
  return Math.ceil(size / 1000).toLocaleString("en");
}

/** admit adds the new attachments that still fit into a message, and explains why others do not. */
export function admit(have: Attachment[], more: Attachment[]): { taken: Attachment[]; refused: string[] } {
  const taken = [...have];
  const refused: string[] = [];
  for (const part of more) {
    const name = attachmentName(part) ?? "";
    const size = taken.reduce((sum, each) => sum + sizeOf(each), sizeOf(part));
    if (taken.length >= limits.count) refused.push(`${name}: a message takes ${limits.count} files`);
    else if (size > limits.size) refused.push(`${name}: too large beside the others`);
    else taken.push(part);
  }
  return { taken, refused };
}

/** read makes an attachment of a file. It throws an error whose message explains why a file cannot be attached. */
export async function read(file: File): Promise<Attachment> {
  if (images.includes(file.type)) return readImage(file);
  if (file.size > limits.text) throw new Error(`${file.name}: at most ${limits.text / 1000} kB of text, or an image`);
  const text = await file.text();
  if (text.includes("\0") || text.includes("\uFFFD")) throw new Error(`${file.name}: neither text nor an image`);
  return textAttachment(file.name, text);
}

async function readImage(file: File): Promise<FileUIPart> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name}: the image cannot be read`);
  });
  const scale = Math.min(1, limits.side / Math.max(bitmap.width, bitmap.height));
  const blob = scale === 1 && file.size <= limits.image ? file : await smaller(bitmap, scale);
  bitmap.close();
  return { type: "file", mediaType: blob.type, filename: file.name, url: await dataUrl(blob) };
}

/** smaller draws the image scaled as a JPEG, on white because JPEG has no transparency. */
async function smaller(bitmap: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale) || 1, Math.round(bitmap.height * scale) || 1);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no images");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
}

async function dataUrl(blob: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.readAsDataURL(blob);
  });
}
