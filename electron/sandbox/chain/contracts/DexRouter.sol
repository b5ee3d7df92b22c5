// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// Takes signed intents, the traders' own transactions, the executor's commands and collateral. Prices, fills and positions
/// are kept by the exchange; the router knows whose orders and positions there can be, so that nobody changes another's.
/// Whatever is accepted under nonce N makes the order `ord_N` and, where it can open one, the position `pos_N` of its trader.
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

    /// `size` has 8 decimals, as prices have.
    struct ClosePosition {
        address trader;
        string positionId;
        uint256 pairId;
        string orderType;
        uint256 size;
        uint256 referencePrice;
        uint256 maxSlippageBps;
        uint256 limitPrice;
        string timeInForce;
        bool postOnly;
        string clientOrderId;
        uint256 nonce;
        uint256 deadline;
    }

    struct InvertPosition {
        address trader;
        string positionId;
        uint256 pairId;
        uint256 referencePrice;
        uint256 maxSlippageBps;
        string clientOrderId;
        uint256 nonce;
        uint256 deadline;
    }

    /// One action of a delegated command. The payload itself stays with the exchange.
    struct CommandItem {
        uint256 nonce;
        string action;
        bytes32 payloadHash;
    }

    bytes32 private constant OPEN_POSITION_TYPEHASH = keccak256(
        "OpenPosition(address trader,uint256 pairId,string side,string orderType,string marginMode,uint256 leverage,uint256 orderValue,uint256 referencePrice,uint256 maxSlippageBps,uint256 limitPrice,uint256 triggerPrice,string timeInForce,bool restIfUnfilled,bool postOnly,uint256 takeProfit,uint256 stopLoss,string clientOrderId,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant CLOSE_POSITION_TYPEHASH = keccak256(
        "ClosePosition(address trader,string positionId,uint256 pairId,string orderType,uint256 size,uint256 referencePrice,uint256 maxSlippageBps,uint256 limitPrice,string timeInForce,bool postOnly,string clientOrderId,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant INVERT_POSITION_TYPEHASH = keccak256(
        "InvertPosition(address trader,string positionId,uint256 pairId,uint256 referencePrice,uint256 maxSlippageBps,string clientOrderId,uint256 nonce,uint256 deadline)"
    );

    IERC20 public immutable collateralToken;
    IERC20 public immutable protocolToken;
    /// The executor's own account, which sends the delegated commands.
    address public immutable agent;
    mapping(address trader => mapping(IERC20 token => uint256 amount)) public collateral;
    mapping(address trader => mapping(uint256 nonce => bool used)) public usedNonce;
    mapping(address trader => mapping(bytes32 commandId => bool done)) public executed;
    mapping(address trader => mapping(bytes32 positionId => bool known)) private _positions;
    mapping(address trader => mapping(bytes32 orderId => bool open)) private _orders;

    event IntentAccepted(bytes32 indexed digest, address indexed trader, uint256 nonce);
    event CommandExecuted(
        address indexed trader, address indexed agent, string commandId, uint256 item, uint256 nonce, string action, bytes32 payloadHash
    );
    event Deposited(address indexed trader, address indexed token, uint256 amount);
    event Withdrawn(address indexed trader, address indexed token, uint256 amount);
    event Credited(address indexed trader, uint256 amount);
    event TpSlUpdated(address indexed trader, string positionId, uint256 takeProfit, uint256 stopLoss);
    event MarginAdded(address indexed trader, string positionId, uint256 amount);
    event MarginReduced(address indexed trader, string positionId, uint256 amount);
    event LeverageChanged(address indexed trader, string positionId, uint256 leverage);
    event OrderCancelled(address indexed trader, string orderId);
    event OrderReplaced(
        address indexed trader,
        string orderId,
        uint256 orderValue,
        uint256 limitPrice,
        uint256 triggerPrice,
        uint256 takeProfit,
        uint256 stopLoss
    );

    error Expired();
    error NonceUsed();
    error BadSignature();
    error InsufficientCollateral();
    error UnknownToken();
    error UnknownPosition();
    error UnknownOrder();
    error NothingToDo();
    error NotAgent();
    error CommandRepeated();

    constructor(IERC20 token, IERC20 ownToken, address executorAgent) EIP712("SvcDEX", "1") {
        collateralToken = token;
        protocolToken = ownToken;
        agent = executorAgent;
    }

    function openPosition(OpenPosition calldata intent, bytes calldata signature) external {
        _accept(_hashOpenPosition(intent), intent.trader, intent.nonce, intent.deadline, signature);
        _knowOrder(intent.trader, intent.nonce);
        _knowPosition(intent.trader, intent.nonce);
    }

    function closePosition(ClosePosition calldata intent, bytes calldata signature) external {
        _accept(_hashClosePosition(intent), intent.trader, intent.nonce, intent.deadline, signature);
        _requirePosition(intent.trader, intent.positionId);
        _knowOrder(intent.trader, intent.nonce);
    }

    function invertPosition(InvertPosition calldata intent, bytes calldata signature) external {
        _accept(_hashInvertPosition(intent), intent.trader, intent.nonce, intent.deadline, signature);
        _requirePosition(intent.trader, intent.positionId);
        _knowOrder(intent.trader, intent.nonce);
        _knowPosition(intent.trader, intent.nonce);
    }

    /// All items of a command, once. What each of them comes to is the exchange's answer.
    function execute(address trader, string calldata commandId, CommandItem[] calldata items) external {
        if (msg.sender != agent) revert NotAgent();
        bytes32 id = keccak256(bytes(commandId));
        if (executed[trader][id]) revert CommandRepeated();
        executed[trader][id] = true;
        for (uint256 item = 0; item < items.length; item++) {
            CommandItem calldata each = items[item];
            if (usedNonce[trader][each.nonce]) revert NonceUsed();
            usedNonce[trader][each.nonce] = true;
            _knowOrder(trader, each.nonce);
            _knowPosition(trader, each.nonce);
            emit CommandExecuted(trader, msg.sender, commandId, item, each.nonce, each.action, each.payloadHash);
        }
    }

    function updateTpSl(string calldata positionId, uint256 takeProfit, uint256 stopLoss) external {
        _requirePosition(msg.sender, positionId);
        emit TpSlUpdated(msg.sender, positionId, takeProfit, stopLoss);
    }

    function addMargin(string calldata positionId, uint256 amount) external {
        _requirePosition(msg.sender, positionId);
        if (amount == 0) revert NothingToDo();
        emit MarginAdded(msg.sender, positionId, amount);
    }

    function reduceMargin(string calldata positionId, uint256 amount) external {
        _requirePosition(msg.sender, positionId);
        if (amount == 0) revert NothingToDo();
        emit MarginReduced(msg.sender, positionId, amount);
    }

    function changeLeverage(string calldata positionId, uint256 leverage) external {
        _requirePosition(msg.sender, positionId);
        if (leverage == 0) revert NothingToDo();
        emit LeverageChanged(msg.sender, positionId, leverage);
    }

    function cancelOrder(string calldata orderId) external {
        _requireOrder(msg.sender, orderId);
        _orders[msg.sender][keccak256(bytes(orderId))] = false;
        emit OrderCancelled(msg.sender, orderId);
    }

    function replaceOrder(
        string calldata orderId,
        uint256 orderValue,
        uint256 limitPrice,
        uint256 triggerPrice,
        uint256 takeProfit,
        uint256 stopLoss
    ) external {
        _requireOrder(msg.sender, orderId);
        emit OrderReplaced(msg.sender, orderId, orderValue, limitPrice, triggerPrice, takeProfit, stopLoss);
    }

    function deposit(uint256 amount) external {
        _deposit(msg.sender, collateralToken, amount);
    }

    function depositToken(IERC20 token, uint256 amount) external {
        _deposit(msg.sender, token, amount);
    }

    /// The permit names the trader as owner and this router as spender, so whoever relays it can credit nobody else.
    /// A failed permit reverts: swallowing it would let anyone pull a standing allowance in.
    function depositWithPermit(address trader, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        IERC20Permit(address(collateralToken)).permit(trader, address(this), amount, deadline, v, r, s);
        _deposit(trader, collateralToken, amount);
    }

    function withdraw(uint256 amount) external {
        _withdraw(msg.sender, collateralToken, amount);
    }

    function withdrawToken(IERC20 token, uint256 amount) external {
        _withdraw(msg.sender, token, amount);
    }

    /// What the exchange owes a trader beyond its deposits: play collateral, and what it won. The tokens behind it are minted to this contract.
    function credit(address trader, uint256 amount) external {
        if (msg.sender != agent) revert NotAgent();
        collateral[trader][collateralToken] += amount;
        emit Credited(trader, amount);
    }

    function _accept(bytes32 structHash, address trader, uint256 nonce, uint256 deadline, bytes calldata signature) private {
        if (block.timestamp > deadline) revert Expired();
        if (usedNonce[trader][nonce]) revert NonceUsed();
        bytes32 digest = _hashTypedDataV4(structHash);
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || signer != trader) revert BadSignature();
        usedNonce[trader][nonce] = true;
        emit IntentAccepted(digest, trader, nonce);
    }

    function _knowOrder(address trader, uint256 nonce) private {
        _orders[trader][keccak256(bytes(string.concat("ord_", Strings.toString(nonce))))] = true;
    }

    function _knowPosition(address trader, uint256 nonce) private {
        _positions[trader][keccak256(bytes(string.concat("pos_", Strings.toString(nonce))))] = true;
    }

    function _requireOrder(address trader, string calldata orderId) private view {
        if (!_orders[trader][keccak256(bytes(orderId))]) revert UnknownOrder();
    }

    function _requirePosition(address trader, string calldata positionId) private view {
        if (!_positions[trader][keccak256(bytes(positionId))]) revert UnknownPosition();
    }

    function _deposit(address trader, IERC20 token, uint256 amount) private {
        if (address(token) != address(collateralToken) && address(token) != address(protocolToken)) revert UnknownToken();
        collateral[trader][token] += amount;
        token.safeTransferFrom(trader, address(this), amount);
        emit Deposited(trader, address(token), amount);
    }

    function _withdraw(address trader, IERC20 token, uint256 amount) private {
        if (collateral[trader][token] < amount) revert InsufficientCollateral();
        collateral[trader][token] -= amount;
        token.safeTransfer(trader, amount);
        emit Withdrawn(trader, address(token), amount);
    }

    function _hashClosePosition(ClosePosition calldata intent) private pure returns (bytes32) {
        bytes memory order = abi.encode(
            CLOSE_POSITION_TYPEHASH,
            intent.trader,
            keccak256(bytes(intent.positionId)),
            intent.pairId,
            keccak256(bytes(intent.orderType)),
            intent.size,
            intent.referencePrice
        );
        bytes memory terms = abi.encode(
            intent.maxSlippageBps,
            intent.limitPrice,
            keccak256(bytes(intent.timeInForce)),
            intent.postOnly,
            keccak256(bytes(intent.clientOrderId)),
            intent.nonce,
            intent.deadline
        );
        return keccak256(bytes.concat(order, terms));
    }

    function _hashInvertPosition(InvertPosition calldata intent) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                INVERT_POSITION_TYPEHASH,
                intent.trader,
                keccak256(bytes(intent.positionId)),
                intent.pairId,
                intent.referencePrice,
                intent.maxSlippageBps,
                keccak256(bytes(intent.clientOrderId)),
                intent.nonce,
                intent.deadline
            )
        );
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
