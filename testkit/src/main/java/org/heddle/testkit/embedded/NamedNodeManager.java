// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.embedded;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DeletionService;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.LogHandler;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;

/**
 * A NodeManager that registers under a given host name. The stock one asks the name service for the canonical name of
 * the address it is bound to; several on one machine would all be {@code localhost}.
 */
public final class NamedNodeManager extends NodeManager {
    private final String host;

    public NamedNodeManager(String host) {
        this.host = host;
    }

    public NodeId nodeId() {
        return getNMContext().getNodeId();
    }

    @Override
    protected void doSecureLogin() {
        // Simple authentication: the fixture's own user is already logged in.
    }

    @Override
    protected ContainerManagerImpl createContainerManager(
            Context context,
            ContainerExecutor executor,
            DeletionService deletion,
            NodeStatusUpdater statusUpdater,
            ApplicationACLsManager acls,
            LocalDirsHandlerService directories) {
        return new ContainerManagerImpl(context, executor, deletion, statusUpdater, metrics, directories) {
            @Override
            protected LogHandler createLogHandler(Configuration conf, Context node, DeletionService deletions) {
                boolean aggregated = conf.getBoolean(
                        YarnConfiguration.LOG_AGGREGATION_ENABLED, YarnConfiguration.DEFAULT_LOG_AGGREGATION_ENABLED);
                return aggregated
                        ? super.createLogHandler(conf, node, deletions)
                        : new KeptLogs(
                                event -> getDispatcher().getEventHandler().handle(event));
            }

            @Override
            protected void serviceStart() throws Exception {
                super.serviceStart();
                // The node registers with the ResourceManager later, when its status updater starts.
                NodeId named = NodeId.newInstance(host, context.getNodeId().getPort());
                ((NMContext) context).setNodeId(named);
                context.getNMTokenSecretManager().setNodeId(named);
                context.getContainerTokenSecretManager().setNodeId(named);
            }
        };
    }
}
