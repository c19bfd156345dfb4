/**
 * The words of the page, in the language that is shown. Another language is a file beside
 * `texts/en.ts` of the type `Texts`, and a choice here.
 */
import { en, type Texts } from "./texts/en.ts";

export const texts: Texts = en;
