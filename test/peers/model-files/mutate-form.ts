import type { Dimension, OnnxFacts, OnnxValue } from '../../../main/model-files/onnx/read-onnx.ts';

export type Random = () => number;

/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

type Mutation = (facts: OnnxFacts, random: Random) => OnnxFacts;

function replaced(facts: OnnxFacts, random: Random, change: (value: OnnxValue) => OnnxValue): OnnxFacts {
  const side = pick(random, ['inputs', 'outputs'] as const);
  const chosen = pick(random, facts[side]);
  return { ...facts, [side]: facts[side].map((value) => (value === chosen ? change(value) : value)) };
}

const rename: Mutation = (facts, random) =>
  replaced(facts, random, (value) => ({ ...value, name: `n${Math.floor(random() * 1e6)}` }));

const renameAll: Mutation = (facts) => {
  const values = (side: readonly OnnxValue[], word: string) =>
    side.map((one, index) => ({ ...one, name: `${word}${index}` }));
  return { ...facts, inputs: values(facts.inputs, 'in'), outputs: values(facts.outputs, 'out') };
};

const freeAxis: Mutation = (facts, random) =>
  replaced(facts, random, (value) => {
    const axis = Math.floor(random() * (value.dimensions?.length ?? 1));
    return {
      ...value,
      dimensions:
        value.dimensions?.map((size, at) => (at === axis ? pick<Dimension>(random, ['free', null]) : size)) ?? null,
    };
  });

/** Gives a free axis a size everywhere, as an exporter without dynamic axes does. */
const fixAxis: Mutation = (facts, random) => {
  const free = [...facts.inputs, ...facts.outputs].flatMap(({ dimensions }) =>
    (dimensions ?? []).filter((size) => typeof size === 'string' && size !== 'free'),
  );
  if (free.length === 0) return facts;
  const name = pick(random, free);
  const size = pick(random, [1, 4, 224, 256, 320, 640]);
  const fixed = (side: readonly OnnxValue[]) =>
    side.map((one) => ({ ...one, dimensions: one.dimensions?.map((each) => (each === name ? size : each)) ?? null }));
  return { ...facts, inputs: fixed(facts.inputs), outputs: fixed(facts.outputs) };
};

const dropOutput: Mutation = (facts, random) => {
  if (facts.outputs.length < 2) return facts;
  const dropped = pick(random, facts.outputs);
  return { ...facts, outputs: facts.outputs.filter((one) => one !== dropped) };
};

const dropMetadata: Mutation = (facts) => ({ ...facts, metadata: {} });

const dropKey: Mutation = (facts, random) => {
  const all = Object.keys(facts.metadata);
  if (all.length === 0) return facts;
  const dropped = pick(random, all);
  return { ...facts, metadata: Object.fromEntries(Object.entries(facts.metadata).filter(([key]) => key !== dropped)) };
};

const dropProducer: Mutation = (facts) => ({ ...facts, producer: '' });

const shuffle: Mutation = (facts, random) => ({
  ...facts,
  outputs: facts.outputs
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one),
});

const forget: Mutation = (facts, random) => replaced(facts, random, (value) => ({ ...value, dimensions: null }));

const mutations = {
  rename,
  renameAll,
  freeAxis,
  fixAxis,
  dropOutput,
  dropMetadata,
  dropKey,
  dropProducer,
  shuffle,
  forget,
};

/** Changes a file in one to three ways that leave its true reading the same. */
export function mutated(
  facts: OnnxFacts,
  random: Random,
): { readonly facts: OnnxFacts; readonly ways: readonly string[] } {
  const ways = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    pick(random, Object.keys(mutations) as (keyof typeof mutations)[]),
  );
  return { facts: ways.reduce((one, way) => mutations[way](one, random), facts), ways };
}
