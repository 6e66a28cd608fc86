/** The name of the framework. Its own page has a logo and a motto; the page of any other agent shows the agent's title. */
export const product = "Tributary";
