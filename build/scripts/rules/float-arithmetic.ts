import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { inRoot } from '../project.ts'

/**
 * Amounts, prices and sizes are decimal text, because floating point would round them. Only `shared/decimal` calculates with them. The compiler
 * already rejects `*`, `/` and `-` on text. This check finds what the compiler allows: text converted to a number, amounts declared as numbers, `+`
 * and `<` on amounts, and fractional numbers.
 */
const folders = ['shared/ticket/', 'shared/signing/', 'electron/intents/', 'shared/ipc/intents/tickets.ts']

/** Exceptions: declarations that calculate with numbers other than amounts. `names`: top-level declarations in `file`. */
const notAmounts: readonly { readonly file: string; readonly names: readonly string[]; readonly why: string }[] = [
  { file: 'electron/intents/engine/engine-parts.ts', names: ['createNamedLocks'], why: 'how many entries a map has' },
  { file: 'electron/intents/engine/finality.ts', names: ['timeOf', 'lastDeadline'], why: 'milliseconds' },
  { file: 'electron/intents/methods/transactions/sending.ts', names: ['followedOf'], why: 'milliseconds' },
  { file: 'electron/intents/engine/resolve-unknown.ts', names: ['resolvableAt'], why: 'milliseconds' },
  { file: 'electron/intents/methods/executor/execution.ts', names: ['chooseKey'], why: 'an order of keys' },
  { file: 'electron/intents/methods/executor/execution.ts', names: ['refusedAt'], why: 'the place of an item in a list' },
  { file: 'electron/intents/methods/payment/payments.ts', names: ['createPayments'], why: 'milliseconds' },
  { file: 'electron/intents/risk-limits/risk-limits.ts', names: ['createTodayLoss'], why: 'milliseconds' },
  { file: 'shared/signing/transactions/abi-values.ts', names: ['integerBits', 'bytesLength', 'arrayOf'], why: 'lengths in the names of types' },
  { file: 'shared/signing/challenge/challenge-fields.ts', names: ['checkExpiry'], why: 'milliseconds' },
  { file: 'shared/signing/challenge/challenge.ts', names: ['networkCheck'], why: 'a chain id' },
  { file: 'shared/signing/prepared-action.ts', names: ['earliestDeadline', 'latestDeadline'], why: 'milliseconds' },
  { file: 'shared/signing/message/typed-data.ts', names: ['parse'], why: 'a chain id' },
  { file: 'shared/signing/wording.ts', names: ['durationText', 'messageTime'], why: 'milliseconds' },
  { file: 'shared/ticket/form/ticket-state.ts', names: ['withinLeverage'], why: 'a leverage, which is a whole number' },
  { file: 'shared/ticket/typed-number.ts', names: ['typedWhole', 'slippageBps'], why: 'a leverage and basis points, which are whole numbers' },
]

const isChecked = (file: string): boolean => folders.some((folder) => file.startsWith(folder)) && file.endsWith('.ts') && !/\.test\.ts$/.test(file)

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const amountWords = new Set(
  'amount amounts balance collateral cost costs entry equity fee fees gain loss margin mark notional pnl price prices profit size sizes usdc'.split(' '),
)
/** Words that mark a name as a property of an amount (such as its scale or its time) and not as an amount. */
const aboutWords = new Set('at bps count decimals index length ms scale share step text unit'.split(' '))

/** Whether a name means an amount: true for `orderValueUsdc` and `takeProfit`, false for `priceDecimals`. */
function namesAmount(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
  return words.some((word) => amountWords.has(word)) && !words.some((word) => aboutWords.has(word))
}

const textOf = (value: unknown): string | null => (isNode(value) && value.type === 'Identifier' && typeof value.value === 'string' ? value.value : null)

/**
 * The name that an expression reads. `ticket.limitPrice`, `limitPrice`, `(limitPrice)`, `limitPrice!` and `limitPrice as T` all give `limitPrice`.
 */
function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'MemberExpression') return textOf(node.property)
  if (node.type === 'OptionalChainingExpression') return nameOf(node.base)
  if (isNode(node.expression)) return nameOf(node.expression)
  return textOf(node)
}

const isAmount = (node: unknown): boolean => {
  const name = nameOf(node)
  return name !== null && namesAmount(name)
}

const conversions = new Set(['Number', 'parseFloat', 'parseInt'])
const roundings = new Set(['toFixed', 'toPrecision', 'toExponential'])
const arithmetic = new Set(['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '+=', '-=', '*=', '/=', '%=', '**='])
const bitwise = new Set(['|', '&', '^', '<<', '>>', '>>>'])

type Finding = 'text made into a number' | 'rounded as a number' | 'arithmetic on an amount' | 'a number with a fraction' | 'an amount declared as a number'

function ofCall({ callee }: Node): Finding | null {
  const name = nameOf(callee) ?? ''
  const of = isNode(callee) && callee.type === 'MemberExpression' ? textOf(callee.object) : null
  if (of === 'Math') return 'rounded as a number'
  if (conversions.has(name) && (of === null || of === 'Number' || of === 'globalThis')) return 'text made into a number'
  return roundings.has(name) ? 'rounded as a number' : null
}

const declaresNumber = (annotation: unknown): boolean => /"kind":"number"/.test(JSON.stringify(annotation ?? null))
const readsNumber = (value: unknown): boolean => isNode(value) && value.type === 'CallExpression' && /"value":"number"/.test(JSON.stringify(value))

function findingOf(node: Node): Finding | null {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      return ofCall(node)
    case 'UnaryExpression':
      return node.operator === '+' || node.operator === '~'
        ? 'text made into a number'
        : node.operator === '-' && isAmount(node.argument)
          ? 'arithmetic on an amount'
          : null
    case 'UpdateExpression':
      return isAmount(node.argument) ? 'arithmetic on an amount' : null
    case 'BinaryExpression':
    case 'AssignmentExpression': {
      const operator = String(node.operator)
      // Bitwise operators are reported only with a number literal on the right: `price | 0` converts text to a number, but `a << b` may use two
      // bigints.
      if (bitwise.has(operator)) return isNode(node.right) && node.right.type === 'NumericLiteral' ? 'text made into a number' : null
      return arithmetic.has(operator) && (isAmount(node.left) || isAmount(node.right)) ? 'arithmetic on an amount' : null
    }
    case 'NumericLiteral':
      return Number.isInteger(node.value) ? null : 'a number with a fraction'
    case 'TsPropertySignature':
    case 'ClassProperty':
      return isAmount(node.key) && declaresNumber(node.typeAnnotation) ? 'an amount declared as a number' : null
    case 'Identifier':
      return isAmount(node) && declaresNumber(node.typeAnnotation) ? 'an amount declared as a number' : null
    case 'KeyValueProperty':
      return isAmount(node.key) && readsNumber(node.value) ? 'an amount declared as a number' : null
    default:
      return null
  }
}

/** The name that a function, class or variable declaration declares; null for any other node. */
function declaredBy(node: Node): string | null {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return textOf(node.identifier)
  return node.type === 'VariableDeclarator' ? textOf(node.id) : null
}

export interface FloatFinding {
  readonly line: number
  readonly finding: Finding
  /** Name of the top-level declaration that contains the finding; empty outside declarations. */
  readonly within: string
}

export function findFloats(source: string): readonly FloatFinding[] {
  // swc counts positions across all files that it has parsed so far. The added semicolon is the first token, so its position is where this file
  // starts.
  const module = parseSync(`;${source}`, { syntax: 'typescript', target: 'es2022' })
  const bytes = Buffer.from(source)
  const lineAt = (node: Node): number => {
    const start = isSpan(node.span) ? node.span.start - module.span.start - 1 : 0
    return bytes.subarray(0, start).toString().split('\n').length
  }
  const found: FloatFinding[] = []
  const visit = (value: unknown, within: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, within)
    else if (typeof value === 'object' && value !== null) {
      const inside = isNode(value) && within === '' ? (declaredBy(value) ?? '') : within
      const finding = isNode(value) ? findingOf(value) : null
      if (finding !== null && isNode(value)) found.push({ line: lineAt(value), finding, within: inside })
      for (const inner of Object.values(value)) visit(inner, inside)
    }
  }
  visit(module.body, '')
  return found
}

const isSpan = (value: unknown): value is { readonly start: number } =>
  typeof value === 'object' && value !== null && 'start' in value && typeof value.start === 'number'

/** Reports floating-point arithmetic in the folders that calculate with amounts, and exceptions that are no longer needed. */
export function floatProblems(files: readonly string[], fewest = 60): string[] {
  const checked = files.filter(isChecked)
  const used = new Set<string>()
  const problems = checked.flatMap((file) =>
    findFloats(readFileSync(inRoot(file), 'utf8')).flatMap(({ line, finding, within }) => {
      if (notAmounts.some((one) => one.file === file && one.names.includes(within))) {
        used.add(`${file} ${within}`)
        return []
      }
      return [`${file}:${line}: ${finding}; amounts are decimal text, and \`shared/decimal\` calculates with them`]
    }),
  )
  const idle = notAmounts.flatMap(({ file, names }) =>
    names.filter((name) => !used.has(`${file} ${name}`)).map((name) => `${file}: ${name} needs no exception`),
  )
  return [...problems, ...idle, ...(checked.length < fewest ? [`only ${checked.length} files were read`] : [])]
}
