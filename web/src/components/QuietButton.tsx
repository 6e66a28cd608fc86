import { Button, type ButtonProps } from "@cloudflare/kumo/components/button";

/** QuietButton is what can be done with a message: at hand, and not in the way of what it says. */
export function QuietButton(props: ButtonProps) {
  return <Button className="text-quiet" size="sm" variant="ghost" {...props} />;
}
