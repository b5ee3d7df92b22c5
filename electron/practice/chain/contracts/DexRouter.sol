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

    /// What an intent in another layout comes to. The digest is over the layout that the trader signed; the exchange says what it means.
    enum Effect {
        Open,
        Close,
        Invert
    }

    /// Where one argument of the router's own function stands in the calldata of another layout.
    /// source: 0 a number; 1 an id as a number; 2 an id as text; 3 an id as text without its prefix; 4 an id as up to 32 characters.
    /// word: counted from the first argument. change: what a number is divided by, or what an id's number lies above its own.
    struct Argument {
        uint256 source;
        uint256 word;
        uint256 change;
    }

    /// base: where offsets of texts count from, in bytes after the selector. prefix: of ids that come without it.
    struct Layout {
        bytes4 target;
        uint256 base;
        string prefix;
        Argument[] arguments;
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
    /// Other layouts of the functions for traders, by their selectors, encoded.
    mapping(bytes4 selector => bytes form) private _layouts;

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
    error UnknownCall();

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

    /// An intent that was signed in another layout: the signature is checked here over what was signed, under the same rules.
    function acceptIntent(
        bytes32 structHash,
        address trader,
        uint256 nonce,
        uint256 deadline,
        Effect effect,
        string calldata positionId,
        bytes calldata signature
    ) external {
        if (msg.sender != agent) revert NotAgent();
        _accept(structHash, trader, nonce, deadline, signature);
        if (effect != Effect.Open) _requirePosition(trader, positionId);
        _knowOrder(trader, nonce);
        if (effect != Effect.Close) _knowPosition(trader, nonce);
    }

    /// Teaches another layout of a function for traders.
    /// @param form a `Layout`, encoded
    function teach(bytes4 selector, bytes calldata form) external {
        if (msg.sender != agent) revert NotAgent();
        abi.decode(form, (Layout));
        _layouts[selector] = form;
    }

    /// The hash of what was taught; of nothing, where there is none.
    function taught(bytes4 selector) external view returns (bytes32) {
        return keccak256(_layouts[selector]);
    }

    /// A trader's call in a layout that was taught, as if the router's own function had been called.
    fallback() external {
        bytes memory known = _layouts[msg.sig];
        if (known.length == 0) revert UnknownCall();
        Layout memory form = abi.decode(known, (Layout));
        (bool done, bytes memory answer) = address(this).delegatecall(_ownCall(form));
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
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

    /// Of the router's own functions only the first argument can be a text.
    function _ownCall(Layout memory form) private pure returns (bytes memory call) {
        uint256 count = form.arguments.length;
        bytes memory text;
        call = bytes.concat(form.target);
        for (uint256 index = 0; index < count; index++) {
            Argument memory each = form.arguments[index];
            if (each.source == 0) {
                call = bytes.concat(call, bytes32(_word(4 + 32 * each.word) / each.change));
            } else {
                text = _id(each, form);
                call = bytes.concat(call, bytes32(32 * count));
            }
        }
        if (text.length > 0) call = bytes.concat(call, bytes32(text.length), text, new bytes((32 - text.length % 32) % 32));
    }

    function _id(Argument memory each, Layout memory form) private pure returns (bytes memory) {
        uint256 value = _word(4 + 32 * each.word);
        if (each.source == 1) return bytes.concat(bytes(form.prefix), bytes(Strings.toString(value - each.change)));
        if (each.source == 4) {
            uint256 length = 0;
            while (length < 32 && bytes32(value)[length] != 0) length++;
            bytes memory characters = new bytes(length);
            for (uint256 place = 0; place < length; place++) characters[place] = bytes32(value)[place];
            return characters;
        }
        uint256 start = 4 + form.base + value;
        bytes memory text = msg.data[start + 32:start + 32 + _word(start)];
        return each.source == 2 ? text : bytes.concat(bytes(form.prefix), text);
    }

    function _word(uint256 start) private pure returns (uint256) {
        return uint256(bytes32(msg.data[start:start + 32]));
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
