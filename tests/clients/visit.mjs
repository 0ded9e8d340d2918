// A person for clients of other languages: reads an address from each line, opens it, and writes where it ends.
//
//     visit.mjs GIVEN

import { createInterface } from "node:readline";
import { Person } from "./person.mjs";

const person = new Person();
for await (const url of createInterface({ input: process.stdin })) console.log((await person.visit(url)).href);
