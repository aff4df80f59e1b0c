// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.heddle.settings.web.ClusterSite;
import org.heddle.settings.web.WebClient;
import picocli.CommandLine.Option;

/** The options by which a command finds the ResourceManagers of a cluster. */
public final class ResourceManagerOptions {
    private static final String HINT = "give the ResourceManager's web address with --rm";

    @Option(
            names = "--rm",
            split = ",",
            paramLabel = "URL",
            converter = AddressConverter.class,
            description =
                    "The ResourceManager's web address, such as http://rm1:8088 or rm1:8088; both of a pair with a"
                            + " comma between. Default: HEDDLE_RM, else those of the yarn-site.xml in HADOOP_CONF_DIR,"
                            + " else http://localhost:8088.")
    private List<URI> addresses = new ArrayList<>();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "The user.name parameter, for a cluster with simple authentication.")
    private String user = "";

    /** A client for them. @throws IOException one sentence, if the site file cannot be read */
    public WebClient client() throws IOException {
        List<URI> all = addresses.isEmpty() ? ClusterSite.resourceManagers(System.getenv()) : addresses;
        return client(all, user);
    }

    /** A client for the ResourceManagers that another option names. */
    public static WebClient client(List<URI> addresses, String user) {
        return new WebClient(addresses, WebClient.PATIENCE, HINT).as(user);
    }
}
