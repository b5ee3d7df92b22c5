import { type AnswerShape, answers, type Field, type Kind } from '../../../electron/practice/dialect/resources.ts'

const inner = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function walk(path: string, fields: readonly Field[]): [string, Kind][] {
  return fields.flatMap(({ key, kind }): [string, Kind][] => {
    const at = inner(path, key)
    if (typeof kind === 'object' && 'one' in kind) return walk(at, kind.one.fields)
    if (typeof kind === 'object' && 'many' in kind) return walk(at, kind.many.fields)
    return [[at, kind]]
  })
}

const kindsOfShape = ({ main, as, resource, beside }: AnswerShape): ReadonlyMap<string, Kind> =>
  new Map([...walk([main ?? '', as === 'page' ? 'items' : ''].filter(Boolean).join('.'), resource.fields), ...walk('', beside)])

/** All fields of the exchange’s own response to a route, as dotted paths, with the kind of value of each. Lists add nothing to a path. */
export function toldKinds(route: string): ReadonlyMap<string, Kind> {
  const shape = answers[route]
  if (shape === undefined) throw new Error(`The generator knows no answer of ${route}`)
  return kindsOfShape(shape)
}
