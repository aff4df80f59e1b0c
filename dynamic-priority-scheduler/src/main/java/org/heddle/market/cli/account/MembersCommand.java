// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market members}. */
@Command(
        name = "members",
        description = {
            "Shows who has a role on an account, and gives and takes roles. A role also holds for the accounts below.",
            "A reader reads balance and statement; a manager also sets the rate, pays out of it, opens accounts below it,"
                    + " and makes readers and managers; an owner also makes owners. If no owner is on record, the user of"
                    + " the account's name owns it, and in a parent queue that belongs to %%user, each user the account"
                    + " of that name.",
            "You need to be a manager or an owner of the account, or the role admin."
        })
public final class MembersCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account, or a parent queue.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(names = "--set", paramLabel = "USER=ROLE", description = "Gives a user the role reader, manager or owner.")
    private List<String> given = new ArrayList<>();

    @Option(names = "--remove", paramLabel = "USER", description = "Takes the role of a user away.")
    private List<String> removed = new ArrayList<>();

    @Override
    protected void run(MarketClient client) {
        String path = "accounts/" + WebAddress.segment(account) + "/members";
        for (String word : given) {
            int equals = word.lastIndexOf('=');
            if (equals < 1) {
                throw new CommandException(
                        CommandException.WRONG, "--set " + word + ": write USER=ROLE, for example dave=reader");
            }
            String user = WebAddress.segment(word.substring(0, equals));
            Map<String, String> role = Map.of("role", word.substring(equals + 1));
            printReceipt(client.change("PUT", path + "/" + user, role, idempotencyKey(null)), word + " on " + account);
        }
        for (String user : removed) {
            JsonNode receipt =
                    client.change("DELETE", path + "/" + WebAddress.segment(user), Map.of(), idempotencyKey(null));
            printReceipt(receipt, user + " has no role on " + account);
        }
        if (given.isEmpty() && removed.isEmpty()) {
            list(client.get(path));
        }
    }

    private void list(JsonNode answer) {
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("user", "role");
        for (JsonNode member : answer.get("members")) {
            table.add(member.get("user").asText(), member.get("role").asText());
        }
        out().print(table);
    }
}
