import { Button, type ButtonProps } from "@cloudflare/kumo/components/button";

/** QuietButton is a small, unobtrusive button below a message. */
export function QuietButton(props: ButtonProps) {
  return <Button className="text-quiet" size="sm" variant="ghost" {...props} />;
}
