import {
  CodeIcon,
  DropIcon,
  FileTextIcon,
  GlobeIcon,
  type Icon,
  ListChecksIcon,
  MagnifyingGlassIcon,
} from "@phosphor-icons/react";

const icons: Record<string, Icon> = {
  code: CodeIcon,
  file: FileTextIcon,
  globe: GlobeIcon,
  plan: ListChecksIcon,
  report: FileTextIcon,
  search: MagnifyingGlassIcon,
};

/** HelperIcon draws an icon by its name. An unknown name is shown as text, because it may be an emoji. */
export function HelperIcon({ name }: { name: string | undefined }) {
  const Known = name ? icons[name] : DropIcon;
  return (
    <span aria-hidden="true" className="shrink-0 text-river">
      {Known ? <Known size={16} /> : <span className="text-sm">{name}</span>}
    </span>
  );
}
