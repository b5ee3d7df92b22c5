import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { inRoot } from '../project.ts'

export interface ContractArtifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>>>
  >
}

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string
}

/** A set of contracts: the folder with their sources, and the file that stores the compiled artifacts. */
interface ContractSet {
  readonly contracts: string
  readonly artifacts: string
}

const setIn = (folder: string): ContractSet => ({ contracts: join(folder, 'contracts'), artifacts: join(folder, 'artifacts.json') })

/** `chain`: the contracts of the practice chain. `testing`: contracts that only tests deploy. */
export const contractSets = { chain: setIn(inRoot('electron/practice/chain')), testing: setIn(inRoot('e2e/support/practice/chain')) } as const

/**
 * Compiles every contract of a set with the installed solc against the installed OpenZeppelin.
 * Takes about ten seconds. Throws the compiler’s message on an error or a warning.
 */
export function compileContracts({ contracts: folder }: ContractSet): Record<string, ContractArtifact> {
  const require = createRequire(import.meta.url)
  // solc ships no types.
  const compiler = require('solc') as Compiler
  const files = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      // By default the bytecode contains a hash of the sources’ metadata, so every changed comment would change the bytecode.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const read = (path: string) => {
    try {
      return { contents: readFileSync(require.resolve(path), 'utf8') }
    } catch {
      return { error: `not found: ${path}` }
    }
  }
  const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: read })) as CompilerOutput
  const complaints = (output.errors ?? []).map((complaint) => complaint.formattedMessage)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return Object.fromEntries(
    files.flatMap((file) => {
      const name = basename(file, '.sol')
      const contract = output.contracts?.[file]?.[name]
      return contract ? [[name, { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` as const }]] : []
    }),
  )
}

/** The exact text that the file `artifacts.json` of a contract set must contain. */
export const artifactsText = (artifacts: Record<string, ContractArtifact>): string => `${JSON.stringify(artifacts)}\n`

if (import.meta.main) for (const set of Object.values(contractSets)) writeFileSync(set.artifacts, artifactsText(compileContracts(set)))
