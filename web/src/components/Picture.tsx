import type { FileUIPart } from "ai";
import { pictureOf } from "../attachment";

interface PictureProps {
  part: FileUIPart;
  name: string;
}

/** Picture shows an image of a message, or names what cannot be shown. */
export function Picture({ part, name }: PictureProps) {
  const url = pictureOf(part);
  if (url === undefined) return <p className="text-sm text-quiet">{name}, which is not shown</p>;
  return <img src={url} alt={name} className="max-h-72 max-w-full rounded-xl border border-line object-contain" />;
}
