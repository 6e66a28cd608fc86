/** The agents of these tests that have an address. */
export const roots = ["Everything", "Visitor", "Warden", "Hermit", "Courier"];
