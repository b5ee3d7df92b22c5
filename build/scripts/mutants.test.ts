import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutants } from '../config/mutants.ts'
import { planted } from './mutants.ts'
import { inRoot } from './project.ts'

const plant = (source: string, find: string, replace: string, within?: string) =>
  planted(source, { file: 'a.ts', find, replace, ...(within !== undefined && { within }) })

const guard = `import { ask } from './ask.ts'
export function createGuard(limit: number) {
  const check = (order: { size: number }, wallet: string) => {
    if (order.size > limit) return 'too_large'
    return ask({ wallet, size: order.size })
  }
  return { check }
}
`

describe('the mutant tool plants faults in source code', () => {
  test('a mutant is planted only if the code to replace occurs exactly once', () => {
    expect(plant(guard, "return 'too_large'", 'return null')).toContain('if (order.size > limit) return null\n')
    expect(plant(guard, 'order.size', '0')).toBeNull()
    expect(plant(guard, "return 'too_small'", 'return null')).toBeNull()
    expect(plant(guard, '', 'return null')).toBeNull()
    expect(planted('<p>a</p><p>b</p>', { file: 'a.html', find: '<p>a</p>', replace: '' })).toBe('<p>b</p>')
    expect(planted('<p>a</p><p>a</p>', { file: 'a.html', find: '<p>a</p>', replace: '' })).toBeNull()
  })

  test.each([
    ['as it is', (source: string) => source],
    [
      'formatted otherwise',
      (source: string) => source.replace("if (order.size > limit) return 'too_large'", 'if (\n  order.size\n    > limit\n) return "too_large";'),
    ],
    ['with comments in between', (source: string) => source.replace('order.size > limit', 'order.size /* USDC */ > // at most\n limit')],
    ['with a comma at the end', (source: string) => source.replace('size: order.size }', 'size: order.size,\n }')],
    ['with other names of what its function declares', (source: string) => source.replaceAll('order', 'asked').replaceAll('limit', 'most')],
    ['elsewhere in the file', (source: string) => source.replace(/^import.*\n/, '').concat("import { ask } from './ask.ts'\n")],
    ['beyond letters outside ASCII', (source: string) => `// 8 € – größer 😀\nconst sign = '€'\n${source}`],
  ])('the mutant tool finds the code to replace in a source file written like this: %s', (_how, change) => {
    const changed = change(guard)
    expect(plant(changed, "if ($order.size > $limit) return 'too_large'", 'if ($order.size > $limit + 1) return null')).toMatch(
      /if \((order|asked)\.size > (limit|most) \+ 1\) return null/,
    )
    expect(plant(changed, 'ask({ wallet, size: $order.size })', 'null')).toContain('return null\n')
  })

  test('a placeholder in a mutant’s search text matches one variable of a function; different placeholders match different variables', () => {
    const source = 'export const twice = (a: number, b: number) => [a + b, a + a]\nexport const size = 1\nexport const most = size + 2\n'
    expect(plant(source, '$a + $b', '0')).toContain('[0, a + a]')
    expect(plant(source, '$a + $a', '0')).toContain('[a + b, 0]')
    expect(plant(source, '$size + 2', '0')).toBeNull()
    expect(plant(source, 'size + 2', '0')).toContain('most = 0')
    expect(plant('const f = (a: number) => [a, (a: number) => a + a].at(a) + a', '$a + $a', '0')).toBe(
      'const f = (a: number) => [a, (a: number) => 0].at(a) + a',
    )
  })

  test('a mutant that names a function or property changes code only inside that function or property', () => {
    const source = 'export const one = { check: () => 1, other: () => 1 }\nfunction two() {\n  return 1\n}\n'
    expect(plant(source, '1', '2')).toBeNull()
    expect(plant(source, '1', '2', 'two')).toContain('return 2')
    expect(plant(source, '1', '2', 'one')).toBeNull()
    expect(plant(source, '1', '2', 'one.check')).toContain('check: () => 2, other: () => 1')
    expect(plant(source, '1', '2', 'one.gone')).toBeNull()
  })

  test('a mutant is not planted if it would make the code invalid or use an undeclared name', () => {
    expect(plant(guard, "return 'too_large'", 'return (')).toBeNull()
    expect(plant(guard, "return 'too_large'", 'return size')).toBeNull()
    expect(plant(guard, "return 'too_large'", 'return $size')).toBeNull()
    expect(plant(guard, "return 'too_large'", 'return Number(limit)')).toContain('return Number(limit)')
  })

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code as text
  test('a mutant is planted only where its search text equals the source exactly in strings, templates and regular expressions', () => {
    const source = 'const f = (name: string) => `a ${`b ${name}`} // c` + name.replace(/[/"\\]]+/g, "it\'s") + name.length / 2 / 1\n'
    expect(plant(source, '$name.replace(/[/"\\]]+/g, "it\'s")', '$name')).toBe(
      'const f = (name: string) => `a ${`b ${name}`} // c` + name + name.length / 2 / 1\n',
    )
    expect(plant(source, '`a ${`b ${$n}`} // c`', '`${$n}`')).toContain('`${name}` + name.replace')
    expect(plant(source, '`a ${`b ${$n}`} / c`', '$n')).toBeNull()
    expect(plant(source, '$name.length / 2 / 1', '0')).toContain('+ 0\n')
  })
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code as text
})

test('every listed mutant can be planted, changes the code, and names tests that exist in the project', () => {
  const wrong = mutants.filter((mutant) => {
    const source = readFileSync(inRoot(mutant.file), 'utf8')
    const broken = planted(source, mutant)
    return broken === null || broken === source || mutant.tests.length === 0 || !mutant.tests.every((file) => existsSync(inRoot(file)))
  })
  expect(mutants.length).toBeGreaterThan(0)
  expect(wrong.map(({ rule, what }) => `${rule}: ${what}`)).toEqual([])
})
