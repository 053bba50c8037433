// A bot in C++: it wins where it can, blocks where it must, and else plays as near to the middle as it can.
//
//     g++ -O2 -std=c++17 -o bot examples/bots/bot.cpp
//     noughts match bot:./bot level-2
//
// docs/reference/bots.md tells the messages: one JSON object a line, and one line in answer to each. They are plain enough
// to be read without a library: a key is there once, its value is a word, a number or a list of them.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

// What follows a key in a message: to the end of a list, or else to the next comma or the end.
std::string value(const std::string& message, const std::string& key) {
    auto at = message.find('"' + key + "\":");
    if (at == std::string::npos) return "";
    at = message.find_first_not_of(' ', at + key.size() + 3);
    const auto end = message[at] == '[' ? message.find(']', at) : message.find_first_of(",}", at);
    return message.substr(at, end - at);
}

// The words between quotation marks, or the numbers, of a list.
std::vector<std::string> parts(const std::string& text, const std::string& letters) {
    std::vector<std::string> found;
    for (std::size_t at = 0; (at = text.find_first_of(letters, at)) != std::string::npos;) {
        const auto end = std::min(text.find_first_not_of(letters, at), text.size());
        found.push_back(text.substr(at, end - at));
        at = end;
    }
    return found;
}

struct Board {
    std::vector<std::string> rows;

    char at(int row, int column) const {
        const bool on = row >= 0 && column >= 0 && row < int(rows.size()) && column < int(rows[0].size());
        return on ? rows[row][column] : ' ';
    }

    int run(char mark, int row, int column, int down, int right) const {
        int length = 0;
        while (at(row + (length + 1) * down, column + (length + 1) * right) == mark) ++length;
        return length;
    }

    // The longest row of this mark that a mark there would make.
    int longest(char mark, int row, int column) const {
        int best = 0;
        for (auto [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
            best = std::max(best, 1 + run(mark, row, column, down, right) + run(mark, row, column, -down, -right));
        }
        return best;
    }
};

int choose(const std::string& message) {
    const Board board{parts(value(message, "board"), "XO.")};
    const auto game = value(message, "game");
    const int k = std::atoi(game.c_str() + game.find('k') + 1), rows = int(board.rows.size());
    const int columns = int(board.rows[0].size());
    const char turn = value(message, "turn")[1];
    std::vector<int> moves;
    for (const auto& word : parts(value(message, "moves"), "0123456789")) moves.push_back(std::atoi(word.c_str()));
    for (const char mark : {turn, turn == 'X' ? 'O' : 'X'}) {
        for (const int cell : moves) {
            if (board.longest(mark, cell / columns, cell % columns) >= k) return cell;
        }
    }
    const auto from_middle = [&](int cell) {
        return std::abs(2 * (cell / columns) - rows + 1) + std::abs(2 * (cell % columns) - columns + 1);
    };
    return *std::min_element(moves.begin(), moves.end(), [&](int a, int b) { return from_middle(a) < from_middle(b); });
}

int main() {
    for (std::string message; std::getline(std::cin, message);) {
        const auto ask = value(message, "ask");
        if (ask == "\"hello\"") std::cout << R"({"name": "middle", "protocol": 1})";
        else if (ask == "\"move\"") std::cout << "{\"cell\": " << choose(message) << "}";
        else if (ask == "\"game\"" && value(message, "misere") == "true") std::cout << R"({"error": "a line must win"})";
        else std::cout << "{}";
        std::cout << std::endl;  // and not "\n": it must arrive
    }
}
