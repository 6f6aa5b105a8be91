/** One small change that breaks something, and the suites that ought to notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly tests: readonly string[];
}

const access = 'test/unit/people/access-rules.test.ts';
const rows = ['test/contract/people/roles.test.ts', access];
const interpolation = ['test/unit/preload/contract/interpolation.test.ts'];
const runLength = ['test/unit/preload/contract/run-length.test.ts'];
const lists = ['test/db/filters.test.ts', 'test/db/work/lists.test.ts'];
const outbox = ['test/db/webhooks'];
const saving = ['test/unit/renderer/features/annotate/saving/save-queue.test.ts'];
const together = ['test/contract/work/saving-together.test.ts'];
const labelPlan = ['test/unit/transfer/label-plan.test.ts', 'test/db/work/label-plan.test.ts'];
const backlog = ['test/unit/renderer/features/annotate/saving/save-backlog.test.ts'];
const reports = ['test/unit/formats/report.test.ts'];

export const mutants: readonly Mutant[] = [
  {
    name: 'permissions: one relation is enough, whoever it is of',
    file: 'main/people/access/access-rules.ts',
    from: 'facts.people?.[relation] === caller.userId',
    to: 'facts.people?.[relation] !== undefined',
    tests: rows,
  },
  {
    name: 'permissions: a role one below passes',
    file: 'main/people/access/access-rules.ts',
    from: 'organizationRoles.indexOf(role) >= organizationRoles.indexOf(least)',
    to: 'organizationRoles.indexOf(role) >= organizationRoles.indexOf(least) - 1',
    tests: rows,
  },
  {
    name: 'permissions: an invitation that is not accepted counts',
    file: 'main/people/access/access-rules.ts',
    from: 'if (settled && facts.isPending === true) return false;',
    to: '',
    tests: [...rows, 'test/contract/people'],
  },
  {
    name: 'permissions: who is assigned to a project may delete it',
    file: 'main/people/access/access-table.ts',
    from: "'delete', ...projectExports], staff('owner'))",
    to: "'delete', ...projectExports], staff('owner', 'assignee'))",
    tests: rows,
  },
  {
    name: 'bodies: one in chunks has no limit',
    file: 'main/http/request-body.ts',
    from: 'if (received > limitBytes) throw tooLarge(limitBytes);',
    to: '',
    tests: ['test/unit/http', 'test/integration/bad-input/requests.test.ts'],
  },
  {
    name: 'interpolation: a turn goes the long way',
    file: 'preload/contract/interpolation.ts',
    from: 'return turn > full / 2 ? turn - full : turn;',
    to: 'return turn;',
    tests: interpolation,
  },
  {
    name: 'interpolation: a keyframe of a deleted frame counts',
    file: 'preload/contract/interpolation.ts',
    from: 'if (deletedFrames?.has(shape.frame) === true) continue;\n    if (before?.frame',
    to: 'if (before?.frame',
    tests: interpolation,
  },
  {
    name: 'run lengths: the last run is forgotten',
    file: 'preload/contract/run-length.ts',
    from: 'if (run > 0 || counts.length === 0) counts.push(run);',
    to: 'if (counts.length === 0) counts.push(run);',
    tests: runLength,
  },
  {
    name: 'run lengths: columns end one early',
    file: 'preload/contract/run-length.ts',
    from: 'if (y === height) {',
    to: 'if (y === height - 1) {',
    tests: runLength,
  },
  {
    name: 'lists: pages overlap',
    file: 'main/db/filters.ts',
    from: '(page - 1) * pageSize',
    to: '(page - 1) * (pageSize - 1)',
    tests: lists,
  },
  {
    name: 'lists: conditions are alternatives',
    file: 'main/db/filters.ts',
    from: ".join(' AND ')}`;",
    to: ".join(' OR ')}`;",
    tests: lists,
  },
  {
    name: 'undo: what could be redone stays',
    file: 'renderer/canvas/history.ts',
    from: 'commands = [...commands.slice(0, both === null ? position : position - 1), both ?? command];',
    to: 'commands = [...commands, command];',
    tests: ['test/unit/canvas/history.test.ts', 'test/unit/canvas'],
  },
  {
    name: 'locks: a locked object is changed',
    file: 'renderer/canvas/command-runner.ts',
    from: 'before.locked && !isDisplay',
    to: 'before.locked && isDisplay',
    tests: ['test/unit/canvas'],
  },
  {
    name: 'save queue: two requests at once',
    file: 'renderer/features/annotate/saving/save-queue.ts',
    from: 'cancelTimer = closed || sending ? null',
    to: 'cancelTimer = closed ? null',
    tests: saving,
  },
  {
    name: 'save queue: what was refused counts as sent',
    file: 'renderer/features/annotate/saving/save-queue.ts',
    from: "if (why.kind === 'refused') backlog.refuse(why);",
    to: '',
    tests: saving,
  },
  {
    name: 'saves: the same request is done twice',
    file: 'main/work/annotations/annotation-service.ts',
    from: 'if (earlier !== undefined) return JSON.parse(earlier) as LabeledData;',
    to: '',
    tests: together,
  },
  {
    name: 'reads: an answer is given again after a change by somebody else',
    file: 'main/work/annotations/serialised-reads.ts',
    from: 'if (now.own === seen.own && now.foreign === seen.foreign) return;',
    to: 'if (now.own === seen.own) return;',
    tests: ['test/contract/work/reads-after-writes.test.ts', 'test/db/change-stamp.test.ts', 'test/db/work'],
  },
  {
    name: 'imports: one that replaces adds',
    file: 'main/transfer/sources/annotations/annotations-import.ts',
    from: "if (parameters.mode === 'replace') keeper.hideLive(head, jobIds);",
    to: '',
    tests: ['test/db/work/datasets.test.ts'],
  },
  {
    name: 'imports: numbers without end are taken',
    file: 'main/formats/kit/annotation-checks.ts',
    from: "if (sum !== 0) throw new ShapeError('a coordinate is not a finite number');",
    to: '',
    tests: ['test/unit/formats', 'test/formats/coco-import.test.ts'],
  },
  {
    name: 'archives: a wrong sum is taken',
    file: 'main/formats/io/source-zip.ts',
    from: 'if (crc !== item.crc)',
    to: 'if (crc === -1)',
    tests: ['test/unit/formats/io'],
  },
  {
    name: 'cards: who rested the shortest makes room',
    file: 'main/models/gpu/make-room.ts',
    from: '.toSorted((a, b) => a.sinceMs - b.sinceMs)',
    to: '.toSorted((a, b) => b.sinceMs - a.sinceMs)',
    tests: ['test/unit/models'],
  },
  {
    name: 'keeper: a start does not wait for the end of a stop',
    file: 'main/models/keeper/keeper-machine.ts',
    from: 'const result = turn.then(work);',
    to: 'const result = Promise.resolve().then(work);',
    tests: ['test/unit/models'],
  },
  {
    name: 'media cache: the newest goes first',
    file: 'main/media/media-cache.ts',
    from: '.sort((a, b) => a.usedMs - b.usedMs)',
    to: '.sort((a, b) => b.usedMs - a.usedMs)',
    tests: ['test/unit/media', 'test/integration/http/media.test.ts'],
  },
  {
    name: 'guard: any host',
    file: 'main/http/guard.ts',
    from: ' || !hosts.has(host)) {',
    to: ') {',
    tests: ['test/integration/http/guard.test.ts', 'test/unit/http'],
  },
  {
    name: 'webhooks: 429 ends a delivery',
    file: 'main/webhooks/delivery/retry-policy.ts',
    from: ' || status === 429',
    to: '',
    tests: ['test/unit/webhooks', ...outbox],
  },
  {
    name: 'webhooks: redeliveries wait for each other',
    file: 'main/webhooks/delivery/attempt-recorder.ts',
    from: 'redelivery === 1 ? 0 : ',
    to: '',
    tests: outbox,
  },
  {
    name: 'webhooks: the secret before signs for ever',
    file: 'main/webhooks/delivery/attempts.ts',
    from: "if (previous === '' || untilMs <= nowMs()) return [newest];",
    to: "if (previous === '') return [newest];",
    tests: ['test/unit/webhooks', 'test/contract/webhooks', 'test/integration/webhooks/manager.test.ts'],
  },
  {
    name: 'webhooks: who stepped aside holds the lane again',
    file: 'main/webhooks/store/outbox-repository.ts',
    from: 'iif(attempts = 0, @holdUntilMs, min(hold_until_ms, @holdUntilMs))',
    to: '@holdUntilMs',
    tests: outbox,
  },
  {
    name: 'webhooks: one write that cannot be stored takes its group',
    file: 'main/webhooks/delivery/group-commit.ts',
    from: 'if (group.length > 1) for (const one of group) store([one]);\n      else group[0]?.reject(error);',
    to: 'for (const one of group) one.reject(error);',
    tests: outbox,
  },
  {
    name: 'webhooks: what was read ahead is sent after a change',
    file: 'main/webhooks/delivery/dispatcher.ts',
    from: ' && !stale.has(laneKey(lane))',
    to: '',
    tests: outbox,
  },
  {
    name: 'reports: a loss counts one',
    file: 'main/formats/kit/report.ts',
    from: 'const entry = losses.get(key);\n      if (entry) entry.count += count;',
    to: 'const entry = losses.get(key);\n      if (entry) entry.count += 1;',
    tests: reports,
  },
  {
    name: 'reports: bad records beyond those that are kept are not counted',
    file: 'main/formats/kit/report.ts',
    from: 'badCount += 1;\n      if (bad.length < maxBadRecords) bad.push({ file, at, reason });',
    to: 'if (bad.length < maxBadRecords) badCount = bad.push({ file, at, reason });',
    tests: reports,
  },
  {
    name: 'imports: a label that the user skips is created',
    file: 'main/transfer/import/label-plan.ts',
    from: 'if (mapped === null) continue;',
    to: '',
    tests: labelPlan,
  },
  {
    name: 'imports: an attribute that was added in between is added twice',
    file: 'main/transfer/import/label-plan.ts',
    from: 'if (repository.attributes(labelId).some(({ name }) => name === attribute.name)) throw changedMeanwhile();',
    to: '',
    tests: labelPlan,
  },
  {
    name: 'save queue: edits on different versions share a request',
    file: 'renderer/features/annotate/saving/save-backlog.ts',
    from: ' && edit.seen === edits[0]?.seen',
    to: '',
    tests: backlog,
  },
  {
    name: 'save queue: a refused edit with a newer one counts',
    file: 'renderer/features/annotate/saving/save-backlog.ts',
    from: 'if (!pending.has(edit.localId)) refused.set(',
    to: 'refused.set(',
    tests: backlog,
  },
  {
    name: 'tools: zoom and pan count as the previous tool',
    file: 'renderer/canvas/tool-control.ts',
    from: "previous = current.id === 'zoom' || current.id === 'pan' ? previous : current.id;",
    to: 'previous = current.id;',
    tests: ['test/unit/canvas/tool-control.test.ts'],
  },
  {
    name: 'throttle: attempts of the future count',
    file: 'main/people/auth/throttle.ts',
    from: ' && at <= time',
    to: '',
    tests: ['test/unit/people/throttle.test.ts'],
  },
  {
    name: 'backup: the gate closes when the first of two leaves',
    file: 'main/platform/pause-gate.ts',
    from: 'if (inside === 0) onEmpty();',
    to: 'onEmpty();',
    tests: ['test/unit/platform/pause-gate.test.ts'],
  },
  {
    name: 'GPU queue: no time slice',
    file: 'main/models/keeper/gpu-line.ts',
    from: 'const turnMs = 30_000;',
    to: 'const turnMs = 0;',
    tests: ['test/unit/models/keeper/gpu-scheduler.test.ts'],
  },
  {
    name: 'undo: a series goes on in another frame',
    file: 'renderer/canvas/history.ts',
    from: ' && first.frame === second.frame',
    to: '',
    tests: ['test/unit/canvas/history.test.ts'],
  },
];
