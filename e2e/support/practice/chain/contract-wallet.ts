import { type Abi, type Address, createWalletClient, encodeAbiParameters, encodeFunctionData, type Hex, http, keccak256, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { createChainClient } from '../../../../electron/practice/chain/chain-client.ts'
import artifacts from './artifacts.json' with { type: 'json' }

// JSON has no literal types, so the ABI needs a cast. `compile-contracts.ts` writes the file, and its test compares the file with a fresh compile.
const factoryAbi = artifacts.ContractWalletFactory.abi as Abi
const factoryBytecode = artifacts.ContractWalletFactory.bytecode as Hex

/** A contract wallet whose owner is a plain account. */
export interface ContractWallet {
  readonly address: Address
  readonly owner: PrivateKeyAccount
  /** Deploys the contract. Until then, only its address is known. */
  create(): Promise<void>
  /** ERC-1271: a signature of `hash` for the contract to check, by its owner or by another `signer`. */
  sign(hash: Hex, signer?: PrivateKeyAccount): Promise<Hex>
  /** ERC-6492: the same signature with the data that creates the contract, so that it can be checked before the contract is deployed. */
  signBeforehand(hash: Hex, signer?: PrivateKeyAccount): Promise<Hex>
}

/** Makes wallets on the chain behind `rpcUrl`, each with an owner of its own. */
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
