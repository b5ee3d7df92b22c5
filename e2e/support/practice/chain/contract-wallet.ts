import { type Abi, type Address, createWalletClient, encodeAbiParameters, encodeFunctionData, type Hex, http, keccak256, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { createChainClient } from '../../../../electron/practice/chain/chain-client.ts'
import artifacts from './artifacts.json' with { type: 'json' }

// A cast, because TypeScript has no literal types for imported JSON. `compile-contracts.ts` writes this file, and a test compares it with a fresh
// compile.
const factoryAbi = artifacts.ContractWalletFactory.abi as Abi
const factoryBytecode = artifacts.ContractWalletFactory.bytecode as Hex

/** A wallet that is a contract. Its owner is an ordinary account. */
export interface ContractWallet {
  readonly address: Address
  readonly owner: PrivateKeyAccount
  /** Deploys the contract. Until then, only its address is known. */
  create(): Promise<void>
  /** Signs a hash with the owner (or with `signer`) in the form that the contract can check (ERC-1271). */
  sign(hash: Hex, signer?: PrivateKeyAccount): Promise<Hex>
  /** Signs like `sign`, and adds the data that creates the contract, so that the signature can be checked before deployment (ERC-6492). */
  signBeforehand(hash: Hex, signer?: PrivateKeyAccount): Promise<Hex>
}

/** Returns a function that creates wallets on the chain at `rpcUrl`, each with its own owner. */
export async function contractWallets(rpcUrl: string): Promise<() => Promise<ContractWallet>> {
  const client = createChainClient(rpcUrl)
  const deployer = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: deployer.address, value: 10n ** 18n })
  const sender = createWalletClient({ account: deployer, chain: base, transport: http(rpcUrl, { retryCount: 0 }) })
  const mined = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`The chain refused transaction ${hash}`)
    return receipt
  }
  const { contractAddress: factory } = await mined(await sender.deployContract({ abi: factoryAbi, bytecode: factoryBytecode }))
  if (factory == null) throw new Error('The factory has no address')

  return async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const address = (await client.readContract({ address: factory, abi: factoryAbi, functionName: 'addressOf', args: [owner.address] })) as Address
    const creation = encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [owner.address] })
    const sign: ContractWallet['sign'] = (hash, signer = owner) =>
      signer.sign({ hash: keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [address, hash])) })
    return {
      address,
      owner,
      create: async () => void (await mined(await sender.sendTransaction({ to: factory, data: creation }))),
      sign,
      signBeforehand: async (hash, signer) => serializeErc6492Signature({ address: factory, data: creation, signature: await sign(hash, signer) }),
    }
  }
}
