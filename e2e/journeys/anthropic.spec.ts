// The provider of Anthropic's Messages. The mock refuses results of calls if the signed thoughts before these calls are
// missing.
import { journeys, withMock } from "./provider";

const test = withMock(({ url }) => ({
  MODEL_PROVIDER: "anthropic",
  MODEL_BASE_URL: `${url}/v1`,
  MODEL_NAME: "the-model",
  MODEL_THINKING: "1024",
}));

journeys(test);
