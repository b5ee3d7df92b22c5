// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// Takes signed intents and collateral. Positions themselves are kept by the exchange.
contract DexRouter is EIP712 {
    using SafeERC20 for IERC20;

    /// Prices have 8 decimals, `orderValue` 6; a price that the order type does not use is 0.
    struct OpenPosition {
        address trader;
        uint256 pairId;
        string side;
        string orderType;
        string marginMode;
        uint256 leverage;
        uint256 orderValue;
        uint256 referencePrice;
        uint256 maxSlippageBps;
        uint256 limitPrice;
        uint256 triggerPrice;
        string timeInForce;
        bool restIfUnfilled;
        bool postOnly;
        uint256 takeProfit;
        uint256 stopLoss;
        string clientOrderId;
        uint256 nonce;
        uint256 deadline;
    }

    bytes32 private constant OPEN_POSITION_TYPEHASH = keccak256(
        "OpenPosition(address trader,uint256 pairId,string side,string orderType,string marginMode,uint256 leverage,uint256 orderValue,uint256 referencePrice,uint256 maxSlippageBps,uint256 limitPrice,uint256 triggerPrice,string timeInForce,bool restIfUnfilled,bool postOnly,uint256 takeProfit,uint256 stopLoss,string clientOrderId,uint256 nonce,uint256 deadline)"
    );

    IERC20 public immutable collateralToken;
    mapping(address trader => uint256 amount) public collateral;
    mapping(address trader => mapping(uint256 nonce => bool used)) public usedNonce;

    event IntentAccepted(bytes32 indexed digest, address indexed trader, uint256 nonce);
    event Deposited(address indexed trader, uint256 amount);
    event Withdrawn(address indexed trader, uint256 amount);

    error Expired();
    error NonceUsed();
    error BadSignature();
    error InsufficientCollateral();

    constructor(IERC20 token) EIP712("SvcDEX", "1") {
        collateralToken = token;
    }

    function openPosition(OpenPosition calldata intent, bytes calldata signature) external {
        if (block.timestamp > intent.deadline) revert Expired();
        if (usedNonce[intent.trader][intent.nonce]) revert NonceUsed();
        bytes32 digest = _hashTypedDataV4(_hashOpenPosition(intent));
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || signer != intent.trader) revert BadSignature();
        usedNonce[intent.trader][intent.nonce] = true;
        emit IntentAccepted(digest, intent.trader, intent.nonce);
    }

    function deposit(uint256 amount) external {
        _deposit(msg.sender, amount);
    }

    /// The permit names the trader as owner and this router as spender, so whoever relays it can credit nobody else.
    /// A failed permit reverts: swallowing it would let anyone pull a standing allowance in.
    function depositWithPermit(address trader, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        IERC20Permit(address(collateralToken)).permit(trader, address(this), amount, deadline, v, r, s);
        _deposit(trader, amount);
    }

    function withdraw(uint256 amount) external {
        if (collateral[msg.sender] < amount) revert InsufficientCollateral();
        collateral[msg.sender] -= amount;
        collateralToken.safeTransfer(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function _deposit(address trader, uint256 amount) private {
        collateral[trader] += amount;
        collateralToken.safeTransferFrom(trader, address(this), amount);
        emit Deposited(trader, amount);
    }

    /// In two parts because one `abi.encode` of all fields runs out of stack; every part is whole words, so joining them changes nothing.
    function _hashOpenPosition(OpenPosition calldata intent) private pure returns (bytes32) {
        bytes memory order = abi.encode(
            OPEN_POSITION_TYPEHASH,
            intent.trader,
            intent.pairId,
            keccak256(bytes(intent.side)),
            keccak256(bytes(intent.orderType)),
            keccak256(bytes(intent.marginMode)),
            intent.leverage,
            intent.orderValue,
            intent.referencePrice,
            intent.maxSlippageBps
        );
        bytes memory terms = abi.encode(
            intent.limitPrice,
            intent.triggerPrice,
            keccak256(bytes(intent.timeInForce)),
            intent.restIfUnfilled,
            intent.postOnly,
            intent.takeProfit,
            intent.stopLoss,
            keccak256(bytes(intent.clientOrderId)),
            intent.nonce,
            intent.deadline
        );
        return keccak256(bytes.concat(order, terms));
    }
}
