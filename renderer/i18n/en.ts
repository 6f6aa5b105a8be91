import { actions } from './en-actions.ts';
import { analytics } from './en-analytics.ts';
import { annotate } from './en-annotate.ts';
import { assist } from './en-assist.ts';
import { canvas } from './en-canvas.ts';
import { editing } from './en-editing.ts';
import { evaluations } from './en-evaluations.ts';
import { exportTexts } from './en-export.ts';
import { find } from './en-find.ts';
import { git } from './en-git.ts';
import { jobs } from './en-jobs.ts';
import { lists } from './en-lists.ts';
import { models } from './en-models.ts';
import { modes } from './en-modes.ts';
import { organizations } from './en-organizations.ts';
import { pages } from './en-pages.ts';
import { player } from './en-player.ts';
import { settings } from './en-settings.ts';
import { storage } from './en-storage.ts';
import { webhooks } from './en-webhooks.ts';
import { work } from './en-work.ts';

/** English texts. Sentences name what happened, what was kept and what to do next. */
export const en = {
  app: {
    name: 'Limner',
    navigation: 'Main navigation',
    skip: 'Skip to the content',
    requestsRunning: '{{number}} running',
    requestsFailed: '{{number}} failed',
    projects: 'Projects',
    tasks: 'Tasks',
    requests: 'Requests',
    jobs: 'Jobs',
    webhooks: 'Webhooks',
    models: 'Models',
    analytics: 'Analytics',
    settings: 'Settings',
    organizations: 'Organizations',
    help: 'Keyboard and help',
    palette: 'Search and commands',
    theme: 'Theme',
    themeLight: 'Light',
    themeDark: 'Dark',
    themeAuto: 'Like the system',
    signOut: 'Sign out',
    loading: 'Loading',
    goneTitle: 'It is not here',
    goneText: 'It may have been deleted, or it belongs to work that you may not see.',
    notFoundTitle: 'There is no such page',
    notFoundText: 'The address may be old, or what it showed was deleted.',
    toTasks: 'Go to tasks',
  },
  common: {
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    delete: 'Delete',
    retry: 'Try again',
    name: 'Name',
    more: 'More',
    create: 'Create',
    showPassword: 'Show or hide the password',
    rename: 'Rename',
    download: 'Download',
    copy: 'Copy',
    copied: 'Copied',
    back: 'Back',
    loadFailed: 'This could not be loaded',
    number: {
      notNumber: 'Enter a number.',
      whole: 'Enter a whole number.',
      between: 'Enter a number from {{min}} to {{max}}.',
      least: 'Enter {{min}} or more.',
      most: 'Enter {{max}} or less.',
      step: 'Enter a multiple of {{step}}, starting from {{min}}.',
    },
  },
  connection: {
    lost: "Limner's service does not answer. Edits are kept here and will be saved when it is back.",
  },
  crash: {
    title: 'This screen stopped working',
    missingTitle: 'This screen did not load',
    missing: 'A part of Limner could not be fetched.',
    missingText:
      'The service may have stopped, or Limner was updated while this window was open. Nothing is lost. Reload to go on.',
    text: 'What was saved is safe, and edits that were not sent yet are kept in this browser. Reload to go on.',
    reload: 'Reload',
    details: 'Details for a report',
  },
  signIn: {
    title: 'Sign in to Limner',
    text: 'Limner runs on this workstation. The link that “limner serve” prints signs you in without a password.',
    username: 'User name',
    password: 'Password',
    submit: 'Sign in',
  },
  palette: {
    placeholder: 'Tasks, jobs, labels, projects, commands (> commands only, # labels only)',
    nothing: 'Nothing found',
    searching: 'Searching…',
    failed: 'The service did not answer the search: {{reason}} Commands are found without it.',
    job: 'Job {{id}}',
    frames: 'frames {{first}} to {{last}}',
    goTo: 'Go to',
    appearance: 'Appearance',
    actions: 'On this screen',
  },
  drop: {
    title: 'Drop to make a task',
    text: 'Images, a folder of images, a video, or an archive (zip, tar)',
  },
  help: {
    title: 'Keyboard and help',
    intro: 'Keys of the annotation screen. On every screen, Ctrl+K finds pages and commands.',
    introElsewhere: 'Ctrl+K finds pages and commands on every screen. The annotation screen lists its own keys here.',
    groups: {
      frame: 'Frames',
      find: 'Finding',
      tools: 'Tools',
      draw: 'While drawing',
      label: 'Labels',
      labelKeys: 'Labels by name',
      edit: 'Editing',
      object: 'Objects',
      player: 'Player',
      track: 'Tracks',
      model: 'Models',
      view: 'View',
      mode: 'Modes',
      file: 'File',
      other: 'Others',
    },
    search: 'Search keys and commands',
    nothing: 'No key or command matches “{{text}}”.',
    pointerTitle: 'Pointer',
    pointer: {
      wheel: 'Wheel',
      wheelDoes: 'Zoom to the cursor',
      pan: 'Space and drag, or middle button',
      panDoes: 'Move the image',
      rectangle: 'Drag, or click two corners',
      rectangleDoes: 'Draw a rectangle or an ellipse',
      polygon: 'Click each point; double-click or N',
      polygonDoes: 'Draw and finish a polygon, polyline or points',
      freehand: 'Hold Shift while drawing points',
      freehandDoes: 'Draw freehand',
      angle: 'Hold Ctrl while drawing points',
      angleDoes: 'Keep a line to steps of 45°',
      undoPoint: 'Right button while drawing',
      undoPointDoes: 'Remove the last point',
      vertex: 'Drag a point',
      vertexDoes: 'Move a point of the selected shape',
      vertexAdd: 'Click on an edge of a selected shape',
      vertexAddDoes: 'Add a point to the selected shape',
      redraw: 'Shift and click a point, then another',
      redrawDoes: 'Redraw the outline between two points',
      vertexDelete: 'Alt and click a point',
      vertexDeleteDoes: 'Delete a point of the selected shape',
      rotate: 'Drag the handle above a rectangle',
      rotateDoes: 'Rotate a shape; with Shift in steps of 15°',
      menu: 'Right button on an object, a point or the frame',
      menuDoes: 'Open its menu',
    },
    files: 'Drop images, a folder, an archive or a video on the window at any time: a task is made and opened.',
  },
  ...actions,
  ...analytics,
  ...annotate,
  ...assist,
  ...canvas,
  ...editing,
  ...evaluations,
  ...exportTexts,
  ...find,
  ...git,
  ...jobs,
  ...lists,
  ...models,
  ...modes,
  ...organizations,
  ...pages,
  ...player,
  ...settings,
  ...storage,
  ...webhooks,
  ...work,
};
