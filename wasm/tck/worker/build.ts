// Builds the kit's modules that several files of tests read. Node runs two files at a time, and none of them then finds
// a module that another one is just building.
import { build, buildModule } from "./server.ts";

build();
buildModule("script");
