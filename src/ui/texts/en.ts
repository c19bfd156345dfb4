/**
 * The words of the frame and of what reaches over all rooms, in English: one catalogue, so that a
 * language can be added. Whole sentences, with functions where something is named in them: word order
 * and plurals are the language's own business.
 */

export const en = {
  projects: {
    menu: "Projects",
    heading: "Your projects",
    kept: "Projects are kept in this browser, on this device.",
    none: "There is no other project yet.",
    open: "Open",
    openNamed: (name: string) => `Open “${name}”`,
    rename: "Rename",
    renameNamed: (name: string) => `Rename “${name}”`,
    nameOf: (name: string) => `New name of “${name}”`,
    duplicate: "Duplicate",
    duplicateNamed: (name: string) => `Duplicate “${name}”`,
    remove: "Delete",
    removeNamed: (name: string) => `Delete “${name}”`,
    removed: (name: string) => `“${name}” was deleted.`,
    undoRemove: "Undo",
    undoRemoveNamed: (name: string) => `Undo: bring “${name}” back`,
    isOpen: "open now",
    showAll: (count: number) => `Show all ${count} projects`,
    newOne: "New project",
    untitled: "Untitled",
    openFile: "Open a file…",
    download: "Download as a file",
    notDone: "That could not be done.",
    savedAgo: {
      now: "saved just now",
      minutes: (count: number) =>
        count === 1 ? "saved a minute ago" : `saved ${count} minutes ago`,
      hours: (count: number) => (count === 1 ? "saved an hour ago" : `saved ${count} hours ago`),
      on: (date: string) => `saved on ${date}`,
    },
    copies: "Older copies",
    copiesOf:
      "Copies of this project that were kept in case something goes wrong. Opening one makes it a project of its own.",
    copyKept: (why: string, date: string) => `${date}, ${why}`,
    openCopy: "Open as a project",
    noCopies: "No older copy of this project is kept yet.",
  },
  reading: {
    elsewhere: "This project is open in another tab.",
    elsewhereHint:
      "Here it can be read, and follows what is saved there. Take it over to edit it here: the other tab saves first, and can then only read.",
    takeOver: "Take it over",
    shared: "You are reading a project that came by a link.",
    sharedHint:
      "It is in this page alone: nothing was sent anywhere, and nothing is kept until you make a copy.",
    makeCopy: "Make a copy",
    refused: "Your change was not made: the project can only be read here.",
  },
  scenarios: {
    menu: "Scenarios",
    menuShowing: (name: string) => `Scenarios, showing “${name}”`,
    intro:
      "A scenario is the project with other curves, numbers of records, storage limit or pins: what if this doubled at night?",
    project: "The project itself",
    shown: "shown now",
    show: "Show",
    showNamed: (name: string) => `Show “${name}”`,
    add: "New scenario",
    usualName: (number: number) => `Scenario ${number}`,
    copyName: (name: string) => `${name} (copy)`,
    renameNamed: (name: string) => `Rename “${name}”`,
    nameOf: (name: string) => `New name of “${name}”`,
    duplicateNamed: (name: string) => `Duplicate “${name}”`,
    removeNamed: (name: string) => `Delete “${name}”`,
    overrides: (count: number) =>
      count === 0
        ? "overrides nothing yet"
        : count === 1
          ? "overrides 1 input"
          : `overrides ${count} inputs`,
    banner: (name: string) => `You are in the scenario “${name}”.`,
    bannerHint:
      "Curves, numbers of records, the storage limit and pins that you change belong to it alone; everything else changes the project, under every scenario.",
    leave: "Back to the project",
    compare: "Compare inputs",
    compareOne: "Compare",
    compareOther: "with",
    same: "Their inputs are the same.",
    input: "Input",
    takeBack: "Take back",
    takeBackNamed: (what: string) => `Take back: ${what}`,
    weight: "Multiply a curve",
    weightOf: "Statement",
    weightBy: "Factor",
    weightSet: "Multiply",
    recordsOf: (entity: string) => `Records of ${entity}`,
    curveOf: (statement: string) => `Curve of ${statement}`,
    curve: (mean: string, low: string, high: string) => `mean ${mean} /s, ${low} to ${high}`,
    storage: "Storage limit",
    noLimit: "no limit",
    percentOfStatic: (percent: string) => `${percent} % of the static average`,
    pins: "Pins and bans",
    pinCount: (count: number) => (count === 0 ? "none" : `${count} of them`),
    labels: {
      add: "Add a scenario",
      rename: "Rename the scenario",
      duplicate: "Duplicate the scenario",
      remove: "Delete the scenario",
      takeBack: "Take an override back",
      weight: "Multiply a curve",
    },
  },
  share: {
    share: "Share",
    heading: "Share this project",
    link: "Link to this project",
    copy: "Copy the link",
    copied: "Copied.",
    notCopied:
      "The browser did not let the page copy it: the link is selected, copy it by keyboard.",
    note: "The whole project is packed into the link itself: nothing is sent anywhere, and nothing leaves this browser until you pass the link on. Whoever has it can read the project, and change a copy of it. Results are not in it.",
    long: (characters: string) =>
      `The link has ${characters} characters; some mail and chat programs cut links of that length. A file is safer.`,
    size: (characters: string) => `${characters} characters`,
    file: "Download as a file",
    packing: "Packing…",
    notOpened: "The shared project cannot be opened.",
    lastNotOpened: "The project of your last visit could not be opened.",
  },
  trouble: {
    notSaved: "Your last changes are not saved.",
    tryAgain: "Try again",
    download: "Download the project",
  },
  drop: {
    here: "Drop the file to open it",
    notOurs: (name: string) =>
      `${name} is not a Tidetable project (a .json file). Other files are dropped where they belong: schemas on the start page, profiles and records in their rooms.`,
  },
  common: {
    close: "Close",
    closeMessage: "Close this message",
    cancel: "Cancel",
    save: "Save",
  },
};

/** The shape of the catalogue: what another language has to say. */
export type Texts = typeof en;
