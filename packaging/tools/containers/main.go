// Command containers reads the files of packaging/container as the programs do for which they are: a file of Compose
// by its schema, and objects of Kubernetes by the types of its API. A member that these do not know is an error.
//
//	containers COMPOSE KUBERNETES
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: containers COMPOSE KUBERNETES")
		os.Exit(2)
	}
	failed := false
	for _, err := range []error{compose(context.Background(), os.Args[1]), kubernetes(os.Args[2])} {
		if err != nil {
			fmt.Fprintln(os.Stderr, "containers:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func compose(ctx context.Context, file string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv([]string{"WORKBENCH_IMAGE=workbench-engine"}))
	if err != nil {
		return err
	}
	_, err = options.LoadProject(ctx)
	return err
}

func kubernetes(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var is meta.TypeMeta
		if err := yaml.Unmarshal([]byte(document), &is); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		var object any
		switch is.APIVersion + " " + is.Kind {
		case "v1 ConfigMap":
			object = &core.ConfigMap{}
		case "v1 Service":
			object = &core.Service{}
		case "apps/v1 Deployment":
			object = &apps.Deployment{}
		case "autoscaling/v2 HorizontalPodAutoscaler":
			object = &autoscaling.HorizontalPodAutoscaler{}
		default:
			return fmt.Errorf("%s: there is no type for the kind %q of %q", file, is.Kind, is.APIVersion)
		}
		if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
			return fmt.Errorf("%s: %s: %w", file, is.Kind, err)
		}
	}
	return nil
}
