// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.heddle.offers.client.Bridges;
import org.heddle.settings.command.AddressConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about the bridge, which all commands have. */
public final class BridgeOptions {
    @Option(
            names = "--bridge",
            split = ",",
            paramLabel = "URL",
            converter = AddressConverter.class,
            defaultValue = "http://127.0.0.1:5050",
            description = "The bridge, or all bridges of a group, separated by commas. Default:" + " ${DEFAULT-VALUE}.")
    public List<URI> addresses = new ArrayList<>();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "*",
            description = "The role, and so the queue, to run in. Default: that of frameworks without a" + " role.")
    public String role = "*";

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "The user to run as. Default: the one who starts the command.")
    public String user = System.getProperty("user.name", "");

    /** The addresses with the credentials of BRIDGE_PRINCIPAL and BRIDGE_SECRET. */
    public Bridges bridges() {
        Bridges bridges = Bridges.at(addresses.toArray(new URI[0]));
        String principal = System.getenv("BRIDGE_PRINCIPAL");
        return principal == null ? bridges : bridges.as(principal, String.valueOf(System.getenv("BRIDGE_SECRET")));
    }

    /**
     * @param failoverSeconds how long tasks live on without this process
     * @param id of an earlier framework that this one continues, or null
     */
    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    public FrameworkInfo info(String name, double failoverSeconds, @Nullable String id) {
        FrameworkInfo.Builder info = FrameworkInfo.newBuilder()
                .setName(name)
                .setUser(user)
                .setRole(role)
                .setCheckpoint(true)
                .setFailoverTimeout(failoverSeconds);
        if (id != null) {
            info.setId(FrameworkID.newBuilder().setValue(id));
        }
        return info.build();
    }
}
